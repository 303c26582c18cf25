/** What was found in a dataset, in groups a person reads one after the other. */
import type { Finding, Severity } from '@/backend';

export type Group = { severity: Severity; findings: Finding[] };

const ORDER: readonly Severity[] = ['blocker', 'warning', 'unknown', 'note'];

/** By how much they matter; what is fine is no problem. */
export function groups(findings: readonly Finding[]): Group[] {
  return ORDER.map((severity) => ({
    severity,
    findings: findings.filter((finding) => finding.severity === severity),
  })).filter((group) => group.findings.length > 0);
}

/** Faults that a mended copy no longer has. */
const MENDED = new Set(
  [
    'label-utf16',
    'label-not-utf8',
    'label-decimal-comma',
    'label-out-of-bounds',
    'label-negative',
    'label-duplicates',
    'label-several',
    'image-missing',
    'image-unreadable',
    'image-empty',
    'image-truncated',
    'image-damaged',
    'image-wrong-format',
    'image-needs-heif',
    'image-too-small',
    'image-too-large',
  ].map((what) => `data.${what}`),
);

export type Mending = 'labels' | 'split' | 'tiles';

/** What a mended copy would do about a finding; `undefined`: nothing. */
export function mending(finding: Finding): Mending | undefined {
  if (MENDED.has(finding.code)) return 'labels';
  if (finding.code === 'data.no-val') return 'split';
  // Where no image size keeps the small boxes, tiles do.
  return finding.code === 'data.boxes-small' ? 'tiles' : undefined;
}

export type Place = { path: string; line: number | null; text: string | null };

/** The files a finding names. */
export function places(finding: Finding): Place[] {
  return finding.evidence.flatMap((seen) =>
    seen.kind === 'file' ? [{ path: seen.path, line: seen.line, text: seen.text }] : [],
  );
}

/** Whether a file is one that belongs to an image: the image, or its labels. */
export function isOfImage(path: string): boolean {
  return /\.(avif|bmp|dng|heic|heif|jp2|jpe?g|mpo|png|tiff?|webp|txt)$/i.test(path);
}
