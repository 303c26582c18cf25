/** The four zones, told apart by sign and word as well as by colour. */
import type { Zone } from '@/backend';

/** The mark of a zone, as of a finding. */
export const MARKS = { fits: 'ok', tight: 'warning', unlikely: 'blocker', impossible: 'blocker' } as const;

const SIGNS = { fits: '✓', tight: '≈', unlikely: '!', impossible: '✕' } as const;

/** A sign for where there is no room for a word. */
export function sign(zone: Zone | null): string {
  return zone === null ? '?' : SIGNS[zone];
}

/** All of them, the best first. */
export const ZONES: readonly Zone[] = ['fits', 'tight', 'unlikely', 'impossible'];
