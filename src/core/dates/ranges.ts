const spaced = / (?:-|to|until|till?|bis|au|à|al|hasta|tot|t\/m) |[–—]/iu;
const half = /\d\s*([ap])\.?m\.?$/i;
const unit = /\d\s*(Uhr|h|hrs)\.?$/;
const bareTime = /^\d{1,2}(?:[:.]\d{2})?$/;

/**
 * Splits a text with two dates or times: `19:00 – 21:00`, `1 May to 3 May 2027`. Returns the whole text if it has not exactly two.
 * What is written only after the second one counts for the first, too: in `7 – 9 pm` both are in the afternoon, in `11 – 1 pm` the
 * first is in the morning, because it comes before the second.
 */
export function splitRange(text: string): readonly [string] | readonly [first: string, last: string] {
  const whole = text.trim().replace(/\s+/g, ' ');
  const parts = spaced.test(whole) ? whole.split(spaced) : whole.split('-');
  const [first = '', last = '', ...others] = parts.map((part) => part.trim());
  if (first === '' || last === '' || others.length > 0) return [whole];
  if (!bareTime.test(first)) return [first, last];
  const [, written] = half.exec(last) ?? [];
  if (written !== undefined) return [`${first} ${halfOf(first, last, written.toLowerCase())}m`, last];
  const [, word] = unit.exec(last) ?? [];
  return [word === undefined ? first : `${first} ${word}`, last];
}

function halfOf(first: string, last: string, written: string): string {
  const isBefore = clockOf(first) <= clockOf(last);
  return isBefore ? written : written === 'p' ? 'a' : 'p';
}

/** The minutes of a time since midnight or noon. */
function clockOf(time: string): number {
  const [, hours, minutes = '0'] = /^(\d{1,2})(?:[:.](\d{2}))?/.exec(time) ?? [];
  return (Number(hours) % 12) * 60 + Number(minutes);
}
