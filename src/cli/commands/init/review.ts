import * as prompts from '@clack/prompts';
import { type CorrectedSync, correctLine } from '../../../app/init/correct-sync.ts';
import type { OpenSource } from '../../../app/init/open-source.ts';
import type { KnownRecipes } from '../../../app/init/propose-sync.ts';
import { type ReadySync, type ReviewedSync, requireReady, reviewSync } from '../../../app/init/review-sync.ts';
import { CodedError } from '../../../core/errors.ts';
import type { Correction } from '../../../inference/correct/correct.ts';
import type { Question } from '../../../inference/proposal.ts';
import { plain, print } from '../../output/print.ts';
import { askChange } from './ask-change.ts';
import { type Asking, answerOf, Ended } from './asking.ts';
import { describeFound, describeRecords } from './describe.ts';

/** A feed, and where its sync will be. */
interface Draft {
  source: OpenSource;
  recipes: KnownRecipes;
  place: Parameters<typeof reviewSync>[1];
}

/** A sync that the user reviews, with the corrections so far. */
export interface SyncInReview extends Draft {
  corrected: CorrectedSync;
  review: ReviewedSync;
}

/** Reviews a proposed sync, and shows it. */
export async function beginReview(draft: Draft, corrected: CorrectedSync, { output }: Asking): Promise<SyncInReview> {
  const review = await reviewSync(corrected.proposed, draft.place);
  show(describeFound(review, draft.place.target.timezone, output), output);
  return { ...draft, corrected, review };
}

/** Asks the open questions of a sync, until no question is left, and shows its records again. */
export async function askQuestions(sync: SyncInReview, asking: Asking): Promise<SyncInReview> {
  let current = sync;
  for (let question = openOf(current); question !== undefined; question = openOf(current)) {
    current = await changed(current, { question: question.id, value: await askQuestion(question, asking) }, asking);
  }
  const { timezone } = sync.place.target;
  const { output } = asking;
  if (current !== sync) show(describeRecords(current.review, timezone, output), output);
  return current;
}

/** Lets the user change lines until the files may be written. @throws Ended if the user does not want them */
export async function confirmSyncs(given: readonly SyncInReview[], asking: Asking): Promise<ReadySync[]> {
  const syncs = [...given];
  for (;;) {
    const isReady = syncs.every(({ review }) => review.drafted !== undefined);
    const choice = await answerOf(
      prompts.select({
        message: isReady ? 'Write the files?' : 'The files cannot be written yet.',
        options: [
          ...(isReady ? [{ value: -1, label: 'Yes' }] : []),
          ...syncs.map(({ place }, index) => ({ value: index, label: `Change a line of ${place.name}` })),
          { value: -2, label: 'No, write nothing' },
        ],
        ...asking,
      }),
    );
    if (choice === -1) return syncs.map(({ review }) => requireReady(review));
    const sync = syncs[choice];
    if (sync === undefined) throw new Ended();
    syncs[choice] = await changeLine(sync, asking);
  }
}

async function changeLine(sync: SyncInReview, asking: Asking): Promise<SyncInReview> {
  const correction = await askChange(sync.review, asking);
  if (correction === undefined) return sync;
  const next = await changed(sync, correction, asking);
  const { output } = asking;
  if (next !== sync) show(describeFound(next.review, sync.place.target.timezone, output), output);
  return askQuestions(next, asking);
}

/** Applies a correction. One that is not possible is explained, and changes nothing. */
async function changed(sync: SyncInReview, correction: Correction, { output, signal }: Asking): Promise<SyncInReview> {
  try {
    const { source, recipes, place } = sync;
    const corrected = await correctLine(source, recipes, signal, sync.corrected, correction);
    const review = await reviewSync(corrected.proposed, place);
    if (review.mistake && sync.review.drafted) throw review.mistake;
    return { ...sync, corrected, review };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    show([error.message, error.remedy].filter(Boolean).join('\n'), output);
    return sync;
  }
}

function openOf({ review }: SyncInReview): Question | undefined {
  return review.proposal.open[0];
}

function askQuestion({ text, choices, safe }: Question, asking: Asking): Promise<string> {
  const options = choices.map(({ value, label }) => ({ value, label: plain(label) }));
  return answerOf(prompts.select({ message: plain(text), options, initialValue: safe, ...asking }));
}

function show(text: string, output: Asking['output']): void {
  print(`${text}\n`, output);
}
