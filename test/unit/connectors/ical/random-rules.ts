import fc from 'fast-check';

const weekday = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU');
const list = (item: fc.Arbitrary<string | number>, maxLength = 3) =>
  fc.uniqueArray(item, { minLength: 1, maxLength }).map((items) => items.join(','));
const signed = (most: number) => fc.integer({ min: -most, max: most }).filter((number) => number !== 0);
const nthWeekday = (most: number) =>
  fc.oneof(
    weekday,
    fc.tuple(signed(most), weekday).map(([nth, day]) => `${nth}${day}`),
  );

/** Parts of rules by FREQ: those that the table of RFC 5545, 3.3.10 has a word for. */
const partsOf = {
  YEARLY: {
    BYMONTH: list(fc.integer({ min: 1, max: 12 })),
    BYWEEKNO: list(fc.oneof(signed(53), fc.constantFrom(1, 52, 53, -1, -53))),
    BYYEARDAY: list(fc.oneof(signed(366), fc.constantFrom(1, 60, 365, 366, -1, -366)), 6),
    BYMONTHDAY: list(signed(31)),
    BYDAY: list(fc.oneof(nthWeekday(53), nthWeekday(5))),
  },
  MONTHLY: { BYMONTH: list(fc.integer({ min: 1, max: 12 })), BYMONTHDAY: list(signed(31)), BYDAY: list(nthWeekday(5)) },
  WEEKLY: { BYMONTH: list(fc.integer({ min: 1, max: 12 })), BYDAY: list(weekday) },
  DAILY: { BYMONTH: list(fc.integer({ min: 1, max: 12 })), BYMONTHDAY: list(signed(31)), BYDAY: list(weekday) },
};

const common = {
  INTERVAL: fc.integer({ min: 1, max: 5 }),
  WKST: weekday,
  BYHOUR: list(fc.integer({ min: 0, max: 23 }), 2),
  BYMINUTE: list(fc.integer({ min: 0, max: 59 }), 2),
  COUNT: fc.integer({ min: 1, max: 30 }),
};

export type Frequency = keyof typeof partsOf;

/** Random rules of a frequency. BYSETPOS comes only with another BYxxx part (RFC 5545, 3.3.10). */
export function ruleOf(freq: Frequency): fc.Arbitrary<string> {
  const positions = fc.option(list(fc.oneof(signed(4), signed(366)), 2), { nil: undefined, freq: 3 });
  const parts = fc.record({ ...partsOf[freq], ...common }, { requiredKeys: [] });
  return fc.tuple(parts, positions).map(([given, position]) => {
    const texts = Object.entries(given).map(([name, value]) => `${name}=${value}`);
    const hasList = texts.some((text) => /^BY(?!HOUR|MINUTE)/.test(text));
    return [`FREQ=${freq}`, ...texts, ...(position && hasList ? [`BYSETPOS=${position}`] : [])].join(';');
  });
}

/** Random times of DTSTART, around the turns of years, too. */
export const startTimes: fc.Arbitrary<string> = fc
  .tuple(fc.integer({ min: 2010, max: 2024 }), fc.oneof(fc.integer({ min: 0, max: 365 }), fc.constantFrom(0, 59, 364)))
  .map(([year, day]) => new Date(Date.UTC(year, 0, 1 + day, 9, 30)).toISOString().slice(0, 19));
