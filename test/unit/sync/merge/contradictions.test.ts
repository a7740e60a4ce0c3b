import { describe, expect, test } from 'vitest';
import type { Member } from '../../../../src/ledger/members/members.ts';
import { contradicting } from '../../../../src/sync/merge/contradictions.ts';
import type { JoinRules } from '../../../../src/sync/merge/form-clusters.ts';

/** An event of a source, such as "a/1", at a place. */
function event(key: string, location: string): Member {
  const [source = ''] = key.split('/');
  const payload = { title: 'Requiem', date: '2031-03-01', time: { start: '19:00' }, ...(location && { location }) };
  return { key, source, place: 'line 2', payload, attachments: [], eventHash: 'h', missedReadings: 0, readNo: 1 };
}

const SAME = 'same' as const;
const DISTINCT = 'distinct' as const;
const nowhere = ['a/1', 'b/1', 'c/1', 'd/1'].map((key) => event(key, ''));
const halls = [event('a/1', 'Hall'), event('b/1', 'Aula'), event('c/1', 'Dome')];
const doubled = [event('a/1', 'Hall'), event('a/2', 'Hall'), event('b/1', 'Hall'), event('b/2', 'Hall')];

describe('Answers that contradict others', () => {
  test.each<[string, readonly Member[], Record<string, 'same' | 'distinct'>, string | undefined]>([
    ['nothing else was said', nowhere, { 'noPlace: a/1 ~ b/1': SAME }, undefined],
    [
      'a = b, a ≠ c, b = c',
      nowhere,
      { 'noPlace: a/1 ~ b/1': SAME, 'noPlace: a/1 ~ c/1': DISTINCT, 'noPlace: b/1 ~ c/1': SAME },
      'noPlace: a/1 ~ c/1, noPlace: a/1 ~ b/1',
    ],
    [
      'a = b, b = c, a ≠ c',
      nowhere,
      { 'noPlace: a/1 ~ b/1': SAME, 'noPlace: b/1 ~ c/1': SAME, 'noPlace: a/1 ~ c/1': DISTINCT },
      'noPlace: a/1 ~ b/1, noPlace: b/1 ~ c/1',
    ],
    [
      'a = b, b = c, c = d, a ≠ d',
      nowhere,
      {
        ...{ 'noPlace: a/1 ~ b/1': SAME, 'noPlace: b/1 ~ c/1': SAME, 'noPlace: c/1 ~ d/1': SAME },
        'noPlace: a/1 ~ d/1': DISTINCT,
      },
      'noPlace: a/1 ~ b/1, noPlace: b/1 ~ c/1, noPlace: c/1 ~ d/1',
    ],
    [
      'a ≠ b, b ≠ c, a ≠ c',
      nowhere,
      { 'noPlace: a/1 ~ b/1': DISTINCT, 'noPlace: b/1 ~ c/1': DISTINCT, 'noPlace: a/1 ~ c/1': DISTINCT },
      undefined,
    ],
    [
      'places, of which no three are ever in one event',
      [],
      { 'places: aula ~ hall': SAME, 'places: aula ~ dome': SAME, 'places: dome ~ hall': DISTINCT },
      'places: aula ~ dome, places: aula ~ hall',
    ],
    [
      'two places, and a record without a place between them',
      [...halls.slice(0, 2), event('c/1', '')],
      { 'noPlace: a/1 ~ c/1': SAME, 'noPlace: b/1 ~ c/1': SAME, 'places: aula ~ hall': DISTINCT },
      'noPlace: a/1 ~ c/1, noPlace: b/1 ~ c/1',
    ],
    [
      'the rules say a = b, and people a = c, b ≠ c',
      [event('a/1', 'Hall'), event('b/1', 'Hall'), event('c/1', '')],
      { 'noPlace: a/1 ~ c/1': SAME, 'noPlace: b/1 ~ c/1': DISTINCT },
      'noPlace: a/1 ~ c/1',
    ],
    [
      'a record that is separated is an exception to what its places say',
      halls,
      { 'places: aula ~ hall': SAME, 'apart: a/1 ~ b/1': DISTINCT },
      undefined,
    ],
    [
      'a record that is separated is no exception to what was said about it',
      nowhere,
      { 'noPlace: a/1 ~ b/1': SAME, 'apart: a/1 ~ b/1': DISTINCT },
      'noPlace: a/1 ~ b/1',
    ],
    [
      'which of several records of a source is meant',
      doubled,
      { 'several: a/1 ~ b/1': SAME, 'several: a/2 ~ b/2': SAME, 'several: a/1 ~ b/2': DISTINCT },
      undefined,
    ],
    [
      'an answer to a question that no longer arises',
      [event('a/1', 'Hall'), { ...event('b/1', ''), eventHash: 'moved' }],
      { 'noPlace: a/1 ~ b/1': SAME, 'moved: a/1 ~ b/1': DISTINCT },
      undefined,
    ],
  ])('%s', (_, members, answers, contradicted) => {
    const given = Object.keys(answers);
    const rules = { answers: new Map(Object.entries(answers)), places: ['location'], sources: ['a', 'b', 'c', 'd'] };
    const found = contradicting(new Set(given.slice(-1)), members, rules as JoinRules);
    expect(found?.join(', ')).toBe(contradicted);
  });

  test('Several new answers may contradict each other', () => {
    const answers = new Map([
      ['noPlace: a/1 ~ b/1', SAME],
      ['noPlace: b/1 ~ c/1', SAME],
      ['noPlace: a/1 ~ c/1', DISTINCT],
    ]);
    const rules: JoinRules = { answers, places: ['location'], sources: ['a', 'b', 'c'] };
    expect(contradicting(new Set(answers.keys()), nowhere, rules)).toEqual([]);
  });
});
