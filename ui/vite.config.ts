import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  clearScreen: false,
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // The sentences live beside this folder, in ../locales.
  server: { port: 1420, strictPort: true, fs: { allow: ['..'] } },
  preview: { port: 1421, strictPort: true },
  // The oldest engine that shows this: WebKitGTK of Debian 12 and macOS 12's Safari.
  build: { target: 'safari15', outDir: 'dist', emptyOutDir: true, chunkSizeWarningLimit: 1000 },
  test: { environment: 'node', include: ['src/**/*.test.ts'] },
});
