import { expect, test } from 'vitest';
import {
  absenceRules,
  evidence,
  judgeAbsence,
  type KnownFacts,
  questions,
} from '../../../../src/sync/match/absence-rules.ts';

const facts = { question: questions, ...evidence };

/** Every combination of evidence. */
const cases = Object.entries(facts).reduce<KnownFacts[]>(
  (before, [name, values]) =>
    before.flatMap((known) => Object.keys(values).map((value) => ({ ...known, [name]: value }) as KnownFacts)),
  [{} as KnownFacts],
);

function verdictsIf(known: Partial<KnownFacts>): Set<string> {
  const fits = (each: KnownFacts) =>
    Object.entries(known).every(([name, value]) => each[name as keyof KnownFacts] === value);
  return new Set(cases.filter(fits).map(judgeAbsence));
}

test('Each rule decides a case', () => {
  const deciding = (known: KnownFacts) =>
    absenceRules.findIndex((rule) =>
      Object.entries(rule.if).every(([name, accepted]) =>
        (accepted as readonly unknown[]).includes(known[name as keyof KnownFacts]),
      ),
    );
  expect([...new Set(cases.map(deciding))].toSorted((one, other) => one - other)).toEqual([...absenceRules.keys()]);
});

test('A delete that the CMS has just confirmed explains that its item is missing, whatever the lists lack', () => {
  expect(verdictsIf({ question: 'deleted', deletion: 'confirmed' })).toEqual(new Set(['absent']));
});

test('A create is not repeated while the lists may be late', () => {
  expect(verdictsIf({ question: 'created', create: 'young' })).toEqual(new Set(['later']));
});

test.each<[string, Partial<KnownFacts>]>([
  ['A list that shows fewer items than it counts', { question: 'deleted', deletion: 'none', list: 'short' }],
  ['A list that lacks an item that exists', { question: 'deleted', deletion: 'none', others: 'hidden' }],
  ['A CMS that lacks three other items as well', { question: 'deleted', deletion: 'none', others: 'many' }],
  [
    'A CMS that shows nothing, beside one or two known items',
    { question: 'deleted', deletion: 'none', others: 'few', strangers: 'none' },
  ],
  [
    'A CMS that shows nothing, beside the item itself',
    { question: 'deleted', deletion: 'none', others: 'none', strangers: 'none' },
  ],
  [
    'A CMS that shows other items in its lists only',
    { question: 'deleted', deletion: 'none', others: 'shown', strangers: 'none' },
  ],
  ['The same about a create', { question: 'created', create: 'settled', others: 'few', strangers: 'none' }],
])('%s proves nothing', (_, known) => {
  expect(verdictsIf(known)).toEqual(new Set(['unproven']));
});

test.each<[string, KnownFacts]>([
  [
    'the lists show another item of the sync',
    { question: 'deleted', list: 'whole', others: 'shown', reading: 'known' },
  ],
  ['the CMS shows an item of others', { question: 'deleted', list: 'whole', others: 'none', strangers: 'shown' }],
  [
    'the create is settled, and nothing else is known',
    { question: 'created', create: 'settled', list: 'whole', others: 'none' },
  ],
])('An item is absent if %s', (_, known) => {
  expect(judgeAbsence(known)).toBe('absent');
});
