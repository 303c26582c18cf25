/** Colours of classes, apart from each other and bright enough on photographs; a dark edge is drawn around them. */
const COLOURS = [
  '#ff6b5e',
  '#3fb6ff',
  '#ffc233',
  '#7be06a',
  '#d08bff',
  '#2fe0c2',
  '#ff8ad0',
  '#b7d84b',
  '#ff9d4d',
  '#9aa8ff',
] as const;

export function classColour(id: number): string {
  return COLOURS[id % COLOURS.length] ?? COLOURS[0];
}
