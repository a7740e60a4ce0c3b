import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Candidate } from '../../../../src/sync/sameness/candidate.ts';
import { judgeSameness } from '../../../../src/sync/sameness/judge-sameness.ts';
import type { GoneThing, Known, Said } from '../../../../src/sync/sameness/things.ts';

const TITLES = ['Choir', 'Choir practice', 'Lecture', 'Ball', 'Gala'];

const thing = fc.record({
  title: fc.constantFrom(...TITLES),
  day: fc.integer({ min: 1, max: 3 }),
  hour: fc.integer({ min: 18, max: 19 }),
});
type Spec = typeof thing extends fc.Arbitrary<infer Value> ? Value : never;

function event(key: string, { title, day, hour }: Spec): Candidate {
  const payload = { title, date: `2031-03-0${day}`, time: { start: `${hour}:00` }, location: 'Hall' };
  return { key, resource: 'events', payload };
}

const known = (answers: Known['answers'], { isWhole = true, showsKeys = false } = {}): Known => ({
  ...{ answers, isWhole, areRecognised: false, showsKeys, total: 10 },
  ...{ kept: [], now: '2031-01-01T00:00:00', constants: new Set<string>() },
});

const specs = fc.record({
  gone: fc.array(fc.record({ spec: thing, isWaiting: fc.boolean() }), { maxLength: 5 }),
  fresh: fc.array(thing, { maxLength: 5 }),
  kept: fc.array(fc.tuple(thing, thing), { maxLength: 4 }),
  said: fc.array(
    fc.record({ found: fc.nat(4), old: fc.nat(4), answer: fc.constantFrom('same' as const, 'distinct' as const) }),
  ),
  isWhole: fc.boolean(),
  showsKeys: fc.boolean(),
});

function judge({
  gone,
  fresh,
  kept,
  said,
  isWhole,
  showsKeys,
}: typeof specs extends fc.Arbitrary<infer Value> ? Value : never) {
  const answers = new Map<string, Map<string, Said>>();
  for (const { found, old, answer } of said) {
    answers.set(`f${found}`, (answers.get(`f${found}`) ?? new Map()).set(`g${old}`, { answer, aboutHash: '' }));
  }
  const things = {
    gone: gone.map(
      ({ spec, isWaiting }, nth): GoneThing => ({ ...event(`g${nth}`, spec), cmsId: isWaiting ? null : nth }),
    ),
    fresh: fresh.map((spec, nth) => event(`f${nth}`, spec)),
    kept: kept.map(([before, after], nth) => ({
      old: { ...event(`k${nth}`, before), cmsId: 100 + nth } as GoneThing,
      found: event(`k${nth}`, after),
    })),
  };
  return { things, verdicts: judgeSameness(things, known(answers, { isWhole, showsKeys })) };
}

describe('Whatever is known and read', () => {
  test('no two records become the same one, and none becomes two', () => {
    fc.assert(
      fc.property(specs, (given) => {
        const { links, passed } = judge(given).verdicts;
        const pairs = [...links, ...passed];
        expect(new Set(pairs.map(({ old }) => old)).size).toBe(pairs.length);
        expect(new Set(pairs.map(({ found }) => found)).size).toBe(pairs.length);
      }),
    );
  });

  test('a record that loses its key to another one is kept somewhere, and its key has a record', () => {
    fc.assert(
      fc.property(specs, (given) => {
        const { things, verdicts } = judge(given);
        const { passed, created, released } = verdicts;
        for (const { old, found } of things.kept) {
          const isMoved = passed.some((pair) => pair.old === old) || released.includes(old);
          const isTaken = passed.some((pair) => pair.found === found) || created.includes(found);
          expect(isMoved).toBe(isTaken);
        }
      }),
    );
  });

  test('an answer is followed: what is distinct is not linked, and what is the same is not asked about', () => {
    fc.assert(
      fc.property(specs, (given) => {
        const { verdicts } = judge({ ...given, gone: given.gone.map((each) => ({ ...each, isWaiting: false })) });
        const last = new Map(given.said.map(({ found, old, answer }) => [`f${found} g${old}`, answer]));
        for (const { old, found, grade } of verdicts.links) {
          if (grade === undefined) expect(last.get(`${found.key} ${old.key}`)).toBe('same');
        }
        for (const { is, old, found } of verdicts.asked) {
          if (is === 'changed') expect(last.get(`${found.key} ${old.key}`)).not.toBe('distinct');
        }
      }),
    );
  });

  test('nothing is recognised by what an incomplete reading lacks, and no item that shows its key gets another one', () => {
    fc.assert(
      fc.property(specs, (given) => {
        const incomplete = judge({ ...given, isWhole: false }).verdicts;
        expect(incomplete.links.every(({ grade }) => grade === undefined)).toBe(true);
        expect(judge({ ...given, showsKeys: true }).verdicts.passed).toEqual([]);
      }),
    );
  });
});

describe('Records under kept keys', () => {
  const ball = { title: 'Ball', day: 1, hour: 18 };
  const gala = { title: 'Gala', day: 3, hour: 19 };
  const choir = { title: 'Choir', day: 2, hour: 18 };
  const kept = (key: string, before: Spec, after: Spec, more: Partial<GoneThing> = {}) => ({
    old: { ...event(key, before), cmsId: 1, ...more },
    found: event(key, after),
  });
  const keysOf = (pairs: ReadonlyArray<{ found: Candidate }>) => pairs.map(({ found }) => found.key);

  test('A single event may become another one; two are asked about', () => {
    const one = { gone: [], fresh: [], kept: [kept('1', ball, gala)] };
    expect(judgeSameness(one, known(new Map())).asked).toEqual([]);
    const two = { ...one, kept: [kept('1', ball, gala), kept('2', choir, { ...ball, day: 3 })] };
    expect(keysOf(judgeSameness(two, known(new Map())).asked)).toEqual(['1', '2']);
    const elsewhere = kept('1', ball, gala);
    elsewhere.found.payload.location = 'Park';
    expect(keysOf(judgeSameness({ ...one, kept: [elsewhere] }, known(new Map())).asked)).toEqual(['1']);
    const missing = { ...one, kept: [kept('1', ball, gala, { isMissing: true })] };
    expect(keysOf(judgeSameness(missing, known(new Map())).asked)).toEqual(['1']);
  });

  test('What has exchanged contents follows them, and the one that is left over is new', () => {
    const things = { gone: [], fresh: [event('3', choir)], kept: [kept('1', ball, gala), kept('2', choir, ball)] };
    const { passed, created, released, asked } = judgeSameness(things, known(new Map()));
    expect(passed.map(({ old, found }) => `${old.key} ${found.key}`).sort()).toEqual(['1 2', '2 3']);
    expect([created.map(({ key }) => key), released, asked]).toEqual([['1'], [], []]);
  });
});
