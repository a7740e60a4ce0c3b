import type { WaitingChange } from '../../ledger/plans/held-plans.ts';
import type { RecordVerdict } from './verdict.ts';

const actions: Record<WaitingChange['op'], string> = {
  create: 'creates it',
  createAgain: 'creates it again',
  update: 'changes its item',
  delete: 'deletes its item',
  mark: 'marks its item as missing',
};

/** Verdicts whose next step a plan may hold back. */
const HELD_BACK: ReadonlyArray<RecordVerdict['is']> = ['absent', 'create', 'update'];

/** What happens next with a record whose change is in a plan that waits for a decision: nothing before that. */
export function waitingVerdict(verdict: RecordVerdict, waiting: WaitingChange | undefined): RecordVerdict {
  if (!waiting || !HELD_BACK.includes(verdict.is)) return verdict;
  const { run, op } = waiting;
  const next = `The plan of run ${run} ${actions[op]}, and waits for a decision. To apply it: \`feedferry approve ${run}\`.`;
  return { ...verdict, next };
}
