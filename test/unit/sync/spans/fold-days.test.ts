import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../../../src/core/dates/iso-date.ts';
import { foldDays, type OneDay } from '../../../../src/sync/spans/fold-days.ts';

/** 1 March 2027 is a Monday. */
const MARCH = '2027-03-01';

/** Days of March 2027, counted on into April, each with a record of its own. */
function daysOf(numbers: readonly number[], like = 'show'): OneDay[] {
  return numbers.map((number) => ({ key: `${like}${number}`, date: addDays(MARCH, number - 1), like }));
}

function range(first: number, last: number, isLeft: (number: number) => boolean = () => false): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((number) => !isLeft(number));
}

/** Monday is 1. */
const weekday = (number: number) => ((number - 1) % 7) + 1;
const isOn =
  (...weekdays: number[]) =>
  (number: number) =>
    weekdays.includes(weekday(number));
const isNotOn =
  (...weekdays: number[]) =>
  (number: number) =>
    !weekdays.includes(weekday(number));

function shown(days: readonly OneDay[], known?: ReadonlyMap<string, string>): string[] {
  return foldDays(days, known).map(({ key, days: [first, ...others] }) => {
    return `${key}: ${first.date.slice(5)} to ${(others.at(-1) ?? first).date.slice(5)}, ${others.length + 1}`;
  });
}

describe('Days that are equal but for the day', () => {
  test.each([
    ['every day', range(1, 30), ['span/show1: 03-01 to 03-30, 30']],
    ['three days in a row', [1, 2, 3], ['span/show1: 03-01 to 03-03, 3']],
    ['two days', [1, 2], []],
    ['closed on Mondays', range(2, 28, isOn(1)), ['span/show2: 03-02 to 03-28, 24']],
    [
      'closed on Mondays, but for one',
      [...range(2, 28, isOn(1)), 22].sort((a, b) => a - b),
      ['span/show2: 03-02 to 03-28, 25'],
    ],
    ['open on Friday, Saturday and Sunday', range(5, 28, isNotOn(5, 6, 7)), ['span/show5: 03-05 to 03-28, 12']],
    ['from Monday to Friday', range(1, 26, isOn(6, 7)), ['span/show1: 03-01 to 03-26, 20']],
    ['closed on one day of the middle', range(1, 30, (number) => number === 12), ['span/show1: 03-01 to 03-30, 29']],
    ['a class on Tuesdays', range(1, 60, isNotOn(2)), []],
    ['a class on Tuesdays and Thursdays', range(1, 60, isNotOn(2, 4)), []],
    ['a class on Mondays, Wednesdays and Fridays', range(1, 60, isNotOn(1, 3, 5)), []],
    ['on weekends', range(1, 60, isNotOn(6, 7)), []],
    ['days without a pattern', [1, 4, 9, 11, 17, 18, 22], []],
    [
      'two runs a month apart',
      [...range(1, 5), ...range(35, 40)],
      ['span/show1: 03-01 to 03-05, 5', 'span/show35: 04-04 to 04-09, 6'],
    ],
    ['a week in which a day is missing', [1, 2, 4, 5, 6], ['span/show4: 03-04 to 03-06, 3']],
  ])('%s', (_, numbers, spans) => {
    expect(shown(daysOf(numbers))).toEqual(spans);
  });

  test('A day that differs is an event of its own', () => {
    const days = [...daysOf(range(1, 30, (number) => number === 9)), ...daysOf([9], 'guided')];
    expect(shown(days)).toEqual(['span/show1: 03-01 to 03-30, 29']);
  });

  test('Two copies of a day are both days of the event', () => {
    const copies = [{ key: 'copy', date: '2027-03-02', like: 'show' }];
    expect(shown([...daysOf([1, 2, 3]), ...copies])).toEqual(['span/show1: 03-01 to 03-03, 4']);
  });
});

describe('An event that is known', () => {
  const known = new Map(daysOf(range(1, 30)).map(({ key }) => [key, 'span/show1']));

  test.each([
    ['gains a day', range(1, 31), ['span/show1: 03-01 to 03-31, 31']],
    ['has lost its first days', range(12, 30), ['span/show1: 03-12 to 03-30, 19']],
    ['has lost all days but one', [30], ['span/show1: 03-30 to 03-30, 1']],
    ['loses days of the middle', [1, 2, 4, 5], ['span/show1: 03-01 to 03-05, 4']],
    ['is extended', range(20, 60), ['span/show1: 03-20 to 04-29, 41']],
    ['is extended on other weekdays', [28, 29, 30, 37, 44, 51], ['span/show1: 03-28 to 03-30, 3']],
    [
      'is closed for two weeks',
      [...range(1, 8), ...range(22, 30)],
      ['span/show2: 03-01 to 03-08, 8', 'span/show1: 03-22 to 03-30, 9'],
    ],
  ])('%s', (_, numbers, spans) => {
    expect(shown(daysOf(numbers), known)).toEqual(spans);
  });

  test('keeps its key when the text of all its days changes', () => {
    const days = daysOf(range(3, 30)).map((day) => ({ ...day, like: 'other' }));
    expect(shown(days, known)).toEqual(['span/show1: 03-03 to 03-30, 28']);
  });

  test('is no event any longer when each of its days has a text of its own', () => {
    const days = daysOf(range(1, 30)).map((day) => ({ ...day, like: day.key }));
    expect(shown(days, known)).toEqual([]);
  });
});

test('The days of all events, and the single ones, are the days of the reading, whatever is known', () => {
  const some = fc.uniqueArray(fc.integer({ min: 1, max: 90 }), { maxLength: 60 });
  fc.assert(
    fc.property(some, some, fc.integer({ min: 1, max: 4 }), (numbers, before, texts) => {
      const days = numbers.flatMap((number) => daysOf([number], `show${number % texts} `));
      const known = new Map(before.map((number) => [`show${number % texts} ${number}`, `span/${number % 3}`]));
      const spans = foldDays(days, known);
      const folded = spans.flatMap((span) => [...span.days]);
      expect(new Set(folded).size).toBe(folded.length);
      expect(days).toEqual(expect.arrayContaining(folded));
      expect(new Set(spans.map(({ key }) => key)).size).toBe(spans.length);
      for (const span of spans) {
        expect(new Set(span.days.map(({ like }) => like)).size).toBe(1);
        expect(span.days.map(({ date }) => date)).toEqual(span.days.map(({ date }) => date).sort());
      }
      // What is read again stays the same event.
      const again = new Map(spans.flatMap(({ key, days: own }) => own.map((day) => [day.key, key] as const)));
      const keys = new Set(foldDays(days, again).map(({ key }) => key));
      expect([...keys]).toEqual(expect.arrayContaining(spans.map(({ key }) => key)));
    }),
  );
});
