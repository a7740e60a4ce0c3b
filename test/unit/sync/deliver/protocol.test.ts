import { describe, expect, test } from 'vitest';
import { goals, knowledge } from '../../../../scripts/record-states.ts';
import {
  type Action,
  actionFor,
  actions,
  impossible,
  rules,
  type Sight,
  sights,
} from '../../../../src/sync/deliver/protocol.ts';

type Case = Parameters<typeof actionFor>;

// Nothing is delivered for a record that is left.
const goalNames = Object.keys(goals).filter((goal) => goal !== 'leave') as Array<Case[0]>;
const cases = goalNames.flatMap((goal) =>
  (Object.keys(knowledge) as Array<Case[1]>).flatMap((knows) =>
    (Object.keys(sights) as Sight[]).map((sees): Case => [goal, knows, sees]),
  ),
);

function fits([goal, knows, sees]: Case) {
  return (entry: (typeof impossible)[number] | (typeof rules)[number]) =>
    entry.goals.includes(goal) && entry.knows.includes(knows) && entry.sees.includes(sees);
}

describe('The protocol', () => {
  test('has one rule for what can happen, and a reason why the rest cannot, never both', () => {
    const wrong = cases.filter((each) => {
      const [found, reasons] = [rules.filter(fits(each)).length, impossible.filter(fits(each)).length];
      return !(found === 1 && reasons === 0) && !(found === 0 && reasons === 1);
    });
    expect(wrong).toEqual([]);
  });

  test('decides by the rule, and reports a bug for what cannot happen', () => {
    for (const each of cases) {
      const rule = rules.find(fits(each));
      if (rule) expect(actionFor(...each)).toBe(rule.does);
      else expect(() => actionFor(...each)).toThrow(expect.objectContaining({ code: 'FF_BUG' }));
    }
  });

  test('has no entry without a case, and uses each action', () => {
    for (const entry of [...rules, ...impossible]) {
      expect(entry.goals.length * entry.knows.length * entry.sees.length).toBeGreaterThan(0);
    }
    expect(new Set(rules.map(({ does }) => does))).toEqual(new Set(Object.keys(actions) as Action[]));
  });

  test('sends nothing about an item that it has not looked at, except the create of a record without one', () => {
    const unseen = cases.filter(([, , sees]) => sees === 'notAsked' || sees === 'nothingToSend');
    const done = unseen.filter((each) => rules.some(fits(each))).map((each) => [...each, actionFor(...each)]);
    expect(done).toEqual([
      ['have', 'none', 'notAsked', 'create'],
      ['have', 'known', 'nothingToSend', 'settleUnchanged'],
      ['haveOnce', 'none', 'notAsked', 'create'],
      ['exactly', 'none', 'notAsked', 'settleRemoved'],
      ['gone', 'none', 'notAsked', 'settleRemoved'],
    ]);
  });

  test('creates only what was never sent or is proven absent', () => {
    const created = cases.filter((each) => rules.find(fits(each))?.does === 'create');
    expect(created.map(([, knows, sees]) => `${knows} ${sees}`)).toEqual(
      expect.arrayContaining(['none notAsked', 'refused provenAbsent', 'maybe provenAbsent']),
    );
    expect(new Set(created.map(([, knows, sees]) => `${knows} ${sees}`)).size).toBe(3);
  });
});
