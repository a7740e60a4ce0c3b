import { actions, rules, sights } from '../src/sync/deliver/protocol.ts';
import { absenceRules, evidence, questions, verdicts } from '../src/sync/match/absence-rules.ts';
import { mayBeAnother, mayBeSame } from '../src/sync/sameness/same-thing.ts';
import { goals, knowledge, states, works } from './record-states.ts';

const isOfEvents = (facts: object) => 'day' in facts;

/** What may become of a record, as Markdown, by the names in the markers: `<!-- list of states -->` … `<!-- end of list -->`. */
export function listsOfRecords(): Readonly<Record<string, string>> {
  return {
    goals: table(
      ['goal', ''],
      Object.entries(goals).map(([name, means]) => [code(name), means]),
    ),
    works: table(
      ['work', ''],
      Object.entries(works).map(([name, means]) => [code(name), means]),
    ),
    states: table(
      ['knows', '', 'columns and attempts', 'goals before it is settled', 'goals once it is settled'],
      Object.entries(knowledge).map(([knows, { means, shows }]) => [
        code(knows),
        means,
        shows,
        codes(goalsOf(knows, (work) => work !== 'settled')),
        codes(goalsOf(knows, (work) => work === 'settled')) || 'none',
      ]),
    ),
    sights: table(
      ['sees', ''],
      Object.entries(sights).map(([name, means]) => [code(name), means]),
    ),
    rules: table(
      ['goal', 'knows', 'sees', 'does', ''],
      rules.map((rule) => [
        codes(rule.goals),
        codes(rule.knows),
        codes(rule.sees),
        code(rule.does),
        actions[rule.does],
      ]),
    ),
    'absence rules': table(
      ['absence of', 'evidence', 'then', 'because'],
      absenceRules.map(({ if: { question, ...others }, is, because }) => [
        codes((question ?? Object.keys(questions)) as readonly string[]),
        Object.entries(others)
          .map(([name, accepted]) => `${name}: ${codes(accepted as readonly string[])}`)
          .join('; ') || 'all other',
        code(is),
        because,
      ]),
    ),
    'may be same': table(
      ['a new record resembles a missing one by', 'for'],
      mayBeSame.map((rule) => [rule.means, isOfEvents(rule.if) ? 'events' : 'accounts']),
    ),
    'may be another': table(
      ['under the key of an earlier record, there is', 'for'],
      mayBeAnother.map((rule) => [rule.means, isOfEvents(rule.if) ? 'events' : 'accounts']),
    ),
    'absence evidence': table(
      ['evidence', '', ''],
      [
        ...Object.entries(questions).map(([name, means]) => ['absence of', code(name), means]),
        ...Object.entries(evidence).flatMap(([of, values]) =>
          Object.entries(values).map(([name, means]) => [of, code(name), means]),
        ),
        ...Object.entries(verdicts).map(([name, means]) => ['then', code(name), means]),
      ],
    ),
  };
}

function goalsOf(knows: string, isOf: (work: string) => boolean): string[] {
  const rows = states.filter((state) => state.knows.some((each) => each === knows) && state.work.some(isOf));
  return Object.keys(goals).filter((goal) => rows.some((row) => row.goal.some((each) => each === goal)));
}

function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function codes(names: readonly string[]): string {
  return names.map(code).join(', ');
}

function code(name: string): string {
  return `\`${name}\``;
}
