import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Candidate } from '../../../../src/sync/sameness/candidate.ts';
import { recogniseRecords } from '../../../../src/sync/sameness/recognise.ts';

/** An occurrence: its slot, and what the site shows, if that differs. The key is the slot, so that equal slots are told apart. */
interface Spec {
  slot: string;
  series?: string;
  shown?: string;
  title?: string;
  key?: string;
}

function occurrence(given: string | Spec, prefix: string): Candidate {
  const {
    slot,
    series = 'yoga',
    shown = slot,
    title = 'Yoga',
    key = slot,
  } = typeof given === 'string' ? { slot: given } : given;
  const [date = '', start = '00:00:00'] = shown.split('T');
  const payload = { title, date, endDate: date, time: { start, end: start, type: 'timed' } };
  return { key: `${prefix} ${key}`, resource: 'events', payload, occurrence: { series, slot } };
}

type Story = [name: string, gone: Array<string | Spec>, fresh: Array<string | Spec>, links: string[], kept?: string[]];

function play([, gone, fresh, , kept = []]: Story) {
  const links = recogniseRecords(
    gone.map((spec) => occurrence(spec, '-')),
    fresh.map((spec) => occurrence(spec, '+')),
    { kept: kept.map((slot) => ({ series: 'yoga', slot })), now: '2027-01-01', constants: new Set() },
  );
  return links.map(({ old, found, grade }) => `${old.key.slice(2)} > ${found.key.slice(2)} ${grade}`);
}

const tuesdays = ['2027-01-05', '2027-01-12', '2027-01-19'] as const;
const at = (days: readonly string[], time: string) => days.map((day) => `${day}T${time}:00`);

const stories: Story[] = [
  [
    'the title has changed',
    ['2027-01-05T18:00:00'],
    [{ slot: '2027-01-05T18:00:00', title: 'Yin' }],
    ['2027-01-05T18:00:00 > 2027-01-05T18:00:00 hours'],
  ],
  [
    'each is an hour later',
    at(tuesdays, '18:00'),
    at(tuesdays, '19:00'),
    tuesdays.map((day) => `${day}T18:00:00 > ${day}T19:00:00 hours`),
  ],
  [
    'timed ones become whole days',
    at(tuesdays, '18:00'),
    [...tuesdays],
    tuesdays.map((day) => `${day}T18:00:00 > ${day} day`),
  ],
  [
    'whole days become timed',
    [...tuesdays],
    at(tuesdays, '18:00'),
    tuesdays.map((day) => `${day} > ${day}T18:00:00 day`),
  ],
  [
    'times change by different amounts',
    at(tuesdays, '18:00'),
    ['2027-01-05T09:00:00', '2027-01-12T20:00:00', '2027-01-19T11:00:00'],
    [
      '2027-01-05T18:00:00 > 2027-01-05T09:00:00 day',
      '2027-01-12T18:00:00 > 2027-01-12T20:00:00 day',
      '2027-01-19T18:00:00 > 2027-01-19T11:00:00 day',
    ],
  ],
  [
    'the zone has changed, and the site shows another day',
    [
      { slot: '2027-01-05T18:00:00', shown: '2027-01-05T18:00:00' },
      { slot: '2027-01-06T18:00:00', shown: '2027-01-06T18:00:00' },
    ],
    [
      { slot: '2027-01-05T19:00:00', shown: '2027-01-06T01:00:00' },
      { slot: '2027-01-06T23:00:00', shown: '2027-01-07T05:00:00' },
    ],
    ['2027-01-05T18:00:00 > 2027-01-05T19:00:00 day', '2027-01-06T18:00:00 > 2027-01-06T23:00:00 day'],
  ],
  [
    'times are written in another zone, on the day before',
    [{ slot: '2027-07-06T00:30:00' }, { slot: '2027-07-13T00:30:00' }],
    [
      { slot: '2027-07-05T20:00:00', shown: '2027-07-06T01:30:00' },
      { slot: '2027-07-12T21:00:00', shown: '2027-07-13T05:30:00' },
    ],
    ['2027-07-06T00:30:00 > 2027-07-05T20:00:00 shownDay', '2027-07-13T00:30:00 > 2027-07-12T21:00:00 shownDay'],
  ],
  [
    'a daily one moves past midnight',
    ['2027-01-05T23:30:00', '2027-01-06T23:30:00', '2027-01-07T23:30:00'],
    ['2027-01-06T00:30:00', '2027-01-07T00:30:00', '2027-01-08T00:30:00'],
    [
      '2027-01-05T23:30:00 > 2027-01-06T00:30:00 hours',
      '2027-01-06T23:30:00 > 2027-01-07T00:30:00 hours',
      '2027-01-07T23:30:00 > 2027-01-08T00:30:00 hours',
    ],
  ],
  [
    'of two shows on a day, one moves',
    ['2027-01-05T15:00:00'],
    ['2027-01-05T16:30:00'],
    ['2027-01-05T15:00:00 > 2027-01-05T16:30:00 hours'],
    ['2027-01-05T20:00:00'],
  ],
  [
    'both shows of a day move: the matinee stays the matinee',
    ['2027-01-05T10:00:00', '2027-01-05T15:00:00'],
    ['2027-01-05T14:00:00', '2027-01-05T21:00:00'],
    ['2027-01-05T10:00:00 > 2027-01-05T14:00:00 day', '2027-01-05T15:00:00 > 2027-01-05T21:00:00 day'],
  ],
  [
    'of two shows, one is left at another time',
    ['2027-01-05T10:00:00', '2027-01-05T15:00:00'],
    ['2027-01-05T20:00:00'],
    ['2027-01-05T15:00:00 > 2027-01-05T20:00:00 day'],
  ],
  [
    'a second show is added, and the first moves',
    ['2027-01-05T15:00:00'],
    ['2027-01-05T09:00:00', '2027-01-05T14:00:00'],
    ['2027-01-05T15:00:00 > 2027-01-05T14:00:00 day'],
  ],
  [
    'it becomes rarer and moves',
    at([...tuesdays, '2027-01-26'], '18:00'),
    at(['2027-01-05', '2027-01-19'], '23:00'),
    ['2027-01-05T18:00:00 > 2027-01-05T23:00:00 day', '2027-01-19T18:00:00 > 2027-01-19T23:00:00 day'],
  ],
  [
    'a single event becomes a series',
    ['2027-01-05T18:00:00'],
    at(tuesdays, '18:00'),
    ['2027-01-05T18:00:00 > 2027-01-05T18:00:00 day'],
  ],
  [
    'a series becomes a single event',
    at(tuesdays, '18:00'),
    ['2027-01-05T18:00:00'],
    ['2027-01-05T18:00:00 > 2027-01-05T18:00:00 day'],
  ],
  [
    'all move by two days',
    at(tuesdays, '18:00'),
    at(['2027-01-07', '2027-01-14', '2027-01-21'], '18:00'),
    ['05', '12', '19'].map(
      (day) => `2027-01-${day}T18:00:00 > 2027-01-${String(Number(day) + 2).padStart(2, '0')}T18:00:00 shift`,
    ),
  ],
  [
    'the rest moves by a day',
    at(['2027-01-12', '2027-01-19'], '18:00'),
    at(['2027-01-13', '2027-01-20'], '18:00'),
    ['2027-01-12T18:00:00 > 2027-01-13T18:00:00 shift', '2027-01-19T18:00:00 > 2027-01-20T18:00:00 shift'],
    at(['2027-01-05'], '18:00'),
  ],
  ['a later one stays', at(['2027-01-12'], '18:00'), at(['2027-01-13'], '18:00'), [], at(['2027-01-19'], '18:00')],
  ['the window moves on', ['2026-12-29T18:00:00'], ['2027-01-26T18:00:00'], [], at(tuesdays, '18:00')],
  ['the window has room for one only', ['2026-12-29T18:00:00'], ['2027-01-05T18:00:00'], []],
  [
    'another series has the day',
    ['2027-01-05T18:00:00'],
    [{ slot: '2027-01-05T18:00:00', series: 'choir', title: 'Choir' }],
    [],
  ],
  [
    'another series has the same content',
    ['2027-01-05T18:00:00'],
    [{ slot: '2027-01-05T18:00:00', series: 'new uid' }],
    ['2027-01-05T18:00:00 > 2027-01-05T18:00:00 content'],
  ],
];

describe('Occurrences under new keys', () => {
  test.each(stories.map((story) => [story[0], story] as const))('%s', (_, story) => {
    expect(play(story).sort()).toEqual(story[3]);
  });

  test('Links are one to one and inside one series, whatever has changed', () => {
    const slots = fc.array(
      fc.record({
        slot: fc.constantFrom(
          ...['05', '06', '12', '13'].flatMap((day) =>
            at([`2027-01-${day}`], '10:00').concat(at([`2027-01-${day}`], '15:00'), `2027-01-${day}`),
          ),
        ),
        series: fc.constantFrom('a', 'b'),
      }),
      { maxLength: 12 },
    );
    const named = (specs: Spec[], prefix: string) =>
      specs.map((spec, index) => occurrence({ ...spec, key: `${index}`, title: `${prefix}${index}` }, prefix));
    fc.assert(
      fc.property(slots, slots, (gone, fresh) => {
        const links = recogniseRecords(named(gone, '-'), named(fresh, '+'), {
          kept: [],
          now: '2027-01-01',
          constants: new Set(),
        });
        for (const side of ['old', 'found'] as const)
          expect(new Set(links.map((link) => link[side])).size).toBe(links.length);
        for (const { old, found } of links) expect(found.occurrence?.series).toBe(old.occurrence?.series);
      }),
    );
  });

  test('A day of ten thousand occurrences costs little', () => {
    const many = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => {
        const seconds = Math.floor((index * 86_399) / count);
        const time = new Date(seconds * 1000).toISOString().slice(11, 19);
        return occurrence({ slot: `2027-01-05T${time}`, key: String(index), title: `${prefix}${index}` }, prefix);
      });
    // CPU time, because other processes may use most of the machine.
    const before = process.cpuUsage();
    const links = recogniseRecords(many('-', 10_000), many('+', 9_000), {
      kept: [],
      now: '2027-01-01',
      constants: new Set(),
    });
    expect(links).toHaveLength(9_000);
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});
