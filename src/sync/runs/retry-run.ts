import { CodedError } from '../../core/errors.ts';
import type { RunReport } from '../../core/run.ts';
import type { NewAnswer } from '../../ledger/answers/answers.ts';
import type { RunContext } from '../context/run-context.ts';
import { applyAnswers } from '../plan/changed-keys.ts';
import { applyConsulted } from './consult-cms.ts';
import { leadRun } from './lead-run.ts';

/** What a person says about records that are held until then. */
export type AlikeAnswer = Pick<NewAnswer, 'answer' | 'note'>;

/**
 * Retries the undelivered records of a sync as the ledger has them, without reading the feed; also those that the CMS
 * refused. Records on hold because the CMS may already have them are looked up first.
 * @param named keys of the records to retry; absent: all that the source still has
 * @param answer is stored for those of the records that are held for it, and only they are retried
 * @param options `recreates`: also creates the items of named records again that were deleted in the CMS
 * @returns the report of the run; undefined if there is nothing to retry
 * @throws CodedError FF_RECORD_UNKNOWN for a key that the ledger does not have, FF_RUN_BUSY while another run is under way
 */
export async function retryRun(
  named: readonly string[] | undefined,
  request: RunContext,
  answer?: AlikeAnswer,
  { recreates = false }: { recreates?: boolean | undefined } = {},
): Promise<RunReport | undefined> {
  const { sync, ledger } = request;
  const { plans, runs } = ledger;
  const [unknown] = named ? await plans.unknownKeys(sync.name, named) : [];
  if (unknown !== undefined) {
    throw new CodedError('FF_RECORD_UNKNOWN', `The ledger has no record "${unknown}" of "${sync.name}".`);
  }
  const due = await plans.retryable(sync.name, named, { answer: answer?.answer });
  const deleted = recreates ? await deletedAmong(named ?? [], request) : [];
  if (due.length + deleted.length === 0) return undefined;
  const keys = answer ? due : named;
  return leadRun('retry', request, async (run, context) => {
    // Also stages records that are not named, because an item may match several records.
    await plans.stageRetries(run, sync.name, keys);
    for (const key of deleted) await plans.stageItemless(run, sync.name, key);
    if (answer) await ledger.questions.answer(sync.name, due, { ...answer, person: context.asked?.by ?? 'unknown' });
    const released = await applyAnswers(run, keys, context);
    const staged = keys && [...keys, ...released];
    const plan = await plans.summarise(run, staged);
    await runs.record(run, plan);
    await forgetCutIds(context);
    await applyConsulted(run, plan, context, { named: staged, looksUpHeld: true });
  });
}

/** Returns the keys of records whose items editors have deleted in the CMS. */
async function deletedAmong(keys: readonly string[], { ledger, sync }: RunContext): Promise<string[]> {
  const records = await ledger.plans.recordsNamed(sync.name, keys);
  return records.filter(({ deleted }) => deleted).map(({ key }) => key);
}

/** The attribute of the external ids may hold more by now: the next id that is sent shows it. */
async function forgetCutIds({ ledger, sync, target, targetId }: RunContext): Promise<void> {
  if (target.externalId === undefined) return;
  await ledger.habits.forget(targetId, sync.resource, { attribute: target.externalId, habit: 'rewritten' });
}

const SAID: Readonly<Record<AlikeAnswer['answer'], string>> = {
  same: 'they are the same',
  distinct: 'they are different from what they look like',
  publish: 'they are published',
  leave: 'they are left out',
};

/** Returns an answer as the reason of the retry, for the history of the run. */
export function describeAnswer({ answer, note }: AlikeAnswer): string {
  const said = SAID[answer];
  return note === undefined ? said : `${said}: ${note}`;
}
