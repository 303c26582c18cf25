const ESC = '\x1b';
const BEL = '\x07';
/** Colours and cursor movements, titles and links, and the rest; the last may be cut off. */
const SEQUENCE = new RegExp(
  `${ESC}(?:\\[[ -?]*[@-~]?|\\][^\\n${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?|[ -/]*[0-~]?)`,
  'g',
);

/** A piece of a log as a person reads it: without colours, cursor movements and other control characters. */
export function plain(text: string): string {
  return text
    .replaceAll(SEQUENCE, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '');
}
