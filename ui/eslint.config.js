import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

/** Folders from the bottom up; each may import itself and what stands before it. */
const layers = ['lib', 'backend', 'state', 'shared', 'features', 'pages'];

const tauri = {
  group: ['@tauri-apps/*'],
  message: 'Only src/backend talks to Tauri.',
};

function layer(folder, index) {
  const above = layers.slice(index + 1).flatMap((name) => [`@/${name}`, `@/${name}/*`, `@/${name}/**`]);
  const patterns = [{ group: ['../*'], message: 'Write @/… for another folder.' }];
  if (above.length > 0)
    patterns.push({ group: above, message: `${folder} must not know what is built on it.` });
  if (folder !== 'backend') patterns.push(tauri);
  return {
    files: [`src/${folder}/**/*.{ts,svelte}`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

export default ts.config(
  { ignores: ['dist', 'node_modules', 'src/backend/bindings.ts'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    rules: {
      // Links inside the app are hashes made by `href()`; there is no SvelteKit.
      'svelte/no-navigation-without-resolve': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  { files: ['src/*.{ts,svelte}'], rules: { 'no-restricted-imports': ['error', { patterns: [tauri] }] } },
  ...layers.map(layer),
);
