import { describe, expect, test } from 'vitest';
import type { Payload } from '../../../../src/core/record.ts';
import { isGarbled } from '../../../../src/sync/measure/garbled.ts';
import { createTally, type ShownMeasure } from '../../../../src/sync/measure/measure-changes.ts';
import { shiftOf } from '../../../../src/sync/measure/shifts.ts';
import { compareFingerprints } from '../../../../src/sync/plan/measure-plan.ts';

const talk = {
  ...{ title: 'Café', date: '2027-03-01', time: { start: '18:00:00' }, description: '<p>About</p>' },
  ...{ isFeatured: false, source_key: 's:T1', image: 'sha256:1' },
};

const now = '2026-12-01T12:00:00';

interface Update {
  before?: Payload | null;
  key?: string;
  mayMove?: boolean;
}

/** The measures of one update of one record, by rule. */
function measured(changes: Payload, { before = talk, key = 'T1', mayMove = false }: Update = {}) {
  const ignored = new Set(['source_key', 'views']);
  const tally = createTally({ resource: 'events', ignored, mayMove, now });
  tally.add({
    ...{
      key,
      formerKey: 'T1',
      changed: Object.keys(changes),
      after: { ...talk, ...changes },
      files: ['image', 'poster'],
    },
    ...(before && { before }),
  });
  return Object.fromEntries(
    tally.measures(1).flatMap(({ rule, records, attribute }) => (records > 0 ? [[rule, attribute ?? true]] : [])),
  );
}

describe('What counts as a change of a published record', () => {
  test.each<[string, Payload, Update, Partial<Record<ShownMeasure['rule'], boolean | string>>]>([
    ['a text', { description: 'New' }, {}, { threshold: true }],
    ['a title', { title: 'Cafés' }, {}, { threshold: true, core: true }],
    ['a time', { time: { start: '19:00:00' } }, {}, { threshold: true, core: true }],
    ['a value that it did not have', { location: 'Hall' }, {}, { threshold: true }],
    ['a day that it did not have', { endDate: '2027-03-02' }, {}, { threshold: true }],
    ['nothing but the external id', { source_key: 's:T2' }, {}, {}],
    ['an ignored attribute', { views: 7 }, {}, {}],
    ['what the last plan wanted already', { title: 'Lunch' }, { before: { ...talk, title: 'Lunch' } }, {}],
    ['an item of unknown content', { title: 'Lunch' }, { before: null }, {}],
    ['a time, after a change of the zone rules', { time: { start: '19:00:00' } }, { mayMove: true }, {}],
    [
      'a title, after a change of the zone rules',
      { title: 'Cafés' },
      { mayMove: true },
      { threshold: true, core: true },
    ],
    ['an attribute that holds its key', { code: 'T01' }, { before: { ...talk, code: 'T1' }, key: 'T01' }, {}],
    ['another file', { image: 'sha256:2' }, {}, { threshold: true }],
    ['a file that it did not have', { poster: 'sha256:2' }, {}, {}],
    ['a removed file', { image: null }, {}, { threshold: true, emptied: 'image' }],
    ['an emptied text', { description: '' }, {}, { threshold: true, emptied: 'description' }],
    ['HTML without text', { description: '<p>&nbsp;</p>' }, {}, { threshold: true, emptied: 'description' }],
    ['a picture in place of a text', { description: '<img src="a.png">' }, {}, { threshold: true }],
    ['a flag that is reset', { isFeatured: null }, {}, { threshold: true }],
    ['wrong letters', { title: 'CafÃ©' }, {}, { threshold: true, core: true, garbled: true }],
  ])('%s', (_, changes, options, rules) => {
    expect(measured(changes, options)).toEqual(rules);
  });

  test('Emptied and garbled values are compared with the records that have such values', () => {
    const tally = createTally({ resource: 'events', ignored: new Set(), mayMove: false, now });
    const changed = ['title', 'description'];
    const after = { ...talk, title: 'CafÃ©', description: '' };
    for (const key of ['T1', 'T2', 'T3', 'T4'])
      tally.add({ key, formerKey: key, changed, before: talk, after, files: [] });
    tally.addOther({ title: 'Talk', description: '' });
    tally.addOther({ title: 'Études', description: 'About' });
    expect(tally.measures(6)).toMatchObject([
      { rule: 'threshold', records: 4, of: 6, example: { key: 'T1', attribute: 'title', from: 'Café', to: 'CafÃ©' } },
      { rule: 'core', records: 4, of: 6 },
      { rule: 'emptied', records: 4, of: 5, attribute: 'description' },
      { rule: 'emptied', records: 4, of: 5, attribute: 'description', uniform: { manner: 'emptied' } },
      { rule: 'garbled', records: 4, of: 5 },
    ]);
  });

  test('A shift is shown if all records have moved by the same amount', () => {
    const shiftOfAll = (...starts: string[]) => {
      const tally = createTally({ resource: 'events', ignored: new Set(), mayMove: false, now });
      for (const [index, start] of starts.entries()) {
        const after = { ...talk, time: { start } };
        tally.add({ key: `T${index}`, formerKey: `T${index}`, changed: ['time'], before: talk, after, files: [] });
      }
      return tally.measures(starts.length)[1]?.shift;
    };
    expect(shiftOfAll('19:00:00', '19:00:00')).toBe('+1 hour');
    expect(shiftOfAll('19:00:00', '20:00:00')).toBeUndefined();
  });
});

test.each([
  ['2027-03-01', '18:00', '2027-03-01', '17:00:00', '−1 hour'],
  ['2027-03-01', '23:30', '2027-03-02', '01:30', '+2 hours'],
  ['2027-03-01', '18:00', '2027-03-01', '18:30', '+30 minutes'],
  ['2027-03-01', '18:00', '2027-03-08', '18:00', '+7 days'],
  ['2027-03-01', '18:00', '2028-03-01', '18:00', '+1 year'],
  ['2027-03-01', null, '2025-03-01', null, '−2 years'],
  ['2027-03-01', '18:00', '2027-03-01', '18:00:00', undefined],
  ['soon', '18:00', '2027-03-01', '18:00', undefined],
])('From %s %s to %s %s is a shift of %5$s', (date, start, toDate, toStart, shift) => {
  expect(shiftOf({ date, time: { start } }, { date: toDate, 'time.start': toStart })?.text).toBe(shift);
});

test.each([
  ['Café', 'CafÃ©', true],
  ['Café', 'Caf�', true],
  ['Café', 'Caf?', true],
  ['Café?', 'Caf???', true],
  ['Ж', 'Ð\u0096', true],
  ['Märchen', 'MÃ¤rchen', true],
  ['It’s', 'Itâ€™s', true],
  ['Café', 'Cafe', false],
  ['Café', 'Bar?', false],
  ['Café', 'Café IRMÃ', false],
  ['CafÃ©', 'CafÃ©s', false],
  ['CafÃ©', 'Café', false],
  ['Why', 'Why?', false],
  ['', 'São Paulo', false],
])('%j → %j is garbled: %j', (before, after, garbled) => {
  expect(isGarbled(before, after)).toBe(garbled);
});

test('Fingerprints show whether the config is the same, and which zone rules it was before', () => {
  const now = 'a.2027-03-02.2026b.c';
  expect(compareFingerprints('b.2027-03-01.2026b.c', now)).toMatchObject({ isSameConfig: true, zoneRules: undefined });
  expect(compareFingerprints('a.2027-03-01.2026a.d', now)).toMatchObject({
    isSameConfig: false,
    zoneRules: '2026a to 2026b',
  });
  expect(compareFingerprints('a.2027-03-01.2026b', now)).toMatchObject({ isSameConfig: false });
  expect(compareFingerprints(undefined, now)).toMatchObject({ isSameConfig: false, zoneRules: undefined });
  const several = (before: string) => compareFingerprints(`${now}.${before}`, `${now}.s1`).hasOtherSources;
  expect(several('s1')).toBe(false);
  expect(several('s2')).toBe(true);
  // A sync that had one source before.
  expect(compareFingerprints(now, `${now}.s1`).hasOtherSources).toBe(false);
});
