/** Paths as a person sees and types them; both kinds of separators occur. */

/** The last part of a path. */
export function baseName(path: string): string {
  return (
    path
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) ?? path
  );
}

/** The folder a path is in, as far as the path says. */
export function folderOf(path: string): string {
  const trimmed = path.replace(/[\\/]+$/, '');
  const at = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\'));
  return at <= 0 ? trimmed.slice(0, at + 1) : trimmed.slice(0, at);
}

/** A name in a folder. */
export function joined(folder: string, name: string): string {
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/';
  return `${folder.replace(/[\\/]+$/, '')}${separator}${name}`;
}

/** What a person would call a dataset: its folder's name, as `data.yaml` says nothing. */
export function datasetName(path: string): string {
  return /\.ya?ml$/i.test(path) ? baseName(folderOf(path)) || baseName(path) : baseName(path);
}

/** The path in what was pasted: without quotes, and not as an address. */
export function typedPath(text: string): string {
  const trimmed = text.trim();
  const bare = /^(["'])(.*)\1$/.exec(trimmed)?.[2] ?? trimmed;
  if (!bare.startsWith('file://')) return bare;
  try {
    const path = decodeURIComponent(new URL(bare).pathname);
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
  } catch {
    return bare;
  }
}
