const NOON = '12:00:00';
const MIDNIGHT = '00:00:00';

/** Words for a time of day. */
const words = new Map([
  ...'noon midday mittag midi mediodía mezzogiorno'.split(' ').map((word) => [word, NOON] as const),
  ...'midnight mitternacht minuit medianoche mezzanotte'.split(' ').map((word) => [word, MIDNIGHT] as const),
]);

/** How a format may write these times. */
const writings = new Map([
  [NOON, ['12:00 pm', '12 pm', '12:00pm', '12pm', '12:00', '12:00:00']],
  [MIDNIGHT, ['12:00 am', '12 am', '12:00am', '12am', '00:00', '00:00:00']],
]);

const wordInText = /(?<![\p{L}\d])(?:12(?:[:.]00)?\s*)?(\p{L}{4,11})$/u;

/** Reads `noon`, `12 noon` or `midnight` as HH:MM:SS; undefined for any other text. */
export function clockWord(text: string): string | undefined {
  const match = wordInText.exec(text);
  return match?.index === 0 ? words.get((match[1] ?? '').toLowerCase()) : undefined;
}

/** Returns a text that ends in `noon` or `midnight` with that time in numbers, in the ways that a format may have them. */
export function withoutClockWord(text: string): string[] {
  const match = wordInText.exec(text);
  const time = words.get((match?.[1] ?? '').toLowerCase());
  if (match === null || time === undefined) return [];
  return (writings.get(time) ?? []).map((writing) => text.slice(0, match.index) + writing);
}
