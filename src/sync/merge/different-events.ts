import type { RunContext } from '../context/run-context.ts';
import { answered, isApart, type JoinRules } from './form-clusters.ts';
import { publisherOf } from './merge-members.ts';
import { compareEvents } from './same-event.ts';

/** Whether two records of a sync with several sources are different events, by its rules or as a person has said. */
export async function areDifferent(
  clusters: readonly string[],
  rules: JoinRules,
  context: Pick<RunContext, 'ledger' | 'sync'>,
): Promise<boolean> {
  const [first = '', second = ''] = clusters;
  if (isApart({ key: first }, { key: second }, rules)) return true;
  const members = await context.ledger.members.membersOf(context.sync.name, clusters);
  const [sources, others] = clusters.map((key) => {
    return new Set(members.flatMap(({ cluster, source }) => (cluster === key ? [source] : [])));
  });
  // Two records of one source are never joined.
  if ([...(sources ?? [])].some((source) => others?.has(source))) return true;
  const [one, other] = clusters.map((key) => {
    const [first, ...others] = members.filter(({ cluster }) => cluster === key);
    return first && publisherOf([first, ...others], rules.sources);
  });
  if (!one || !other) return false;
  return (
    one.eventHash !== other.eventHash || answered(compareEvents(one, other, rules), rules.answers).is === 'different'
  );
}
