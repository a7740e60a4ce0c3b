import type { App } from '../../app/app.ts';
import { syncNamed } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RecentRun } from '../../ledger/runs/run-list.ts';
import { askedQuestions, countAboutEvents, givenAnswers } from '../../sync/questions/questions.ts';
import type { ConfiguredSync } from '../answers/configured-sync.ts';
import type { QuestionsView } from '../views/question.ts';

/** So many questions and answers are shown at once, unless more are asked for. */
const SHOWN = 100;

/** So many records can be answered for at once. */
const MOST_ALIKE = 1000;

/** What the open questions of each sync were counted from, and how many there were. */
const counted = new WeakMap<Ledger, Map<string, { state: string; count: number }>>();

/** Returns the questions of a sync. */
export async function questionsOf(
  name: string,
  { config, ledger }: Pick<App, 'config' | 'ledger'>,
  limit = SHOWN,
): Promise<QuestionsView> {
  const context = { ledger, sync: syncNamed(name, config) };
  const [open, answered, { first: undelivered }] = await Promise.all([
    askedQuestions(context),
    givenAnswers(context),
    ledger.records.undelivered(name, Math.min(limit, MOST_ALIKE)),
  ]);
  const alike = undelivered.flatMap(({ key, title, code, reason = '' }) =>
    code === 'FF_RECORD_ALIKE' ? [{ key, title, reason }] : [],
  );
  const newest = answered.toSorted((one, other) => other.at.localeCompare(one.at));
  return {
    ...{ sync: name, total: open.length },
    ...(alike.length > 0 && { alike }),
    ...{ questions: open.slice(0, limit), answers: newest.slice(0, limit) },
  };
}

/**
 * Counts the open questions about the events of a sync with several sources. Only a run or an answer changes them, so they are counted once after each.
 * @param latest the newest run
 */
export async function countEventQuestions(
  sync: ConfiguredSync,
  latest: RecentRun | undefined,
  ledger: Ledger,
): Promise<number> {
  if (!sync.sources) return 0;
  const readings = [...(await ledger.readings.readings(sync.name))].map(([source, { run }]) => [source, run]);
  const answers = [...(await ledger.answers.allAnswers(sync.name))].map(([about, { at }]) => [about, at]);
  const state = JSON.stringify([latest?.run, latest?.finishedAt, readings, answers, sync.merge]);
  const known = counted.get(ledger) ?? new Map<string, { state: string; count: number }>();
  counted.set(ledger, known);
  const before = known.get(sync.name);
  if (before?.state === state) return before.count;
  const count = await countAboutEvents({ ledger, sync: sync as SyncConfig });
  known.set(sync.name, { state, count });
  return count;
}
