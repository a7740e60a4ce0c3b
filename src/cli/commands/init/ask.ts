import { type CorrectedSync, correctLine } from '../../../app/init/correct-sync.ts';
import type { OpenSource } from '../../../app/init/open-source.ts';
import type { KnownRecipes } from '../../../app/init/propose-sync.ts';
import { type ReadySync, type ReviewedSync, requireReady, reviewSync } from '../../../app/init/review-sync.ts';
import { isTimeZone } from '../../../core/dates/time-zone.ts';
import { CodedError } from '../../../core/errors.ts';
import { type Correction, parseCorrection } from '../../../inference/correct/correct.ts';
import type { Question } from '../../../inference/proposal.ts';
import { ask } from '../../output/confirm.ts';
import { plain, print } from '../../output/print.ts';
import { describeFound } from './describe.ts';

/** Thrown when the user ends the questions. */
export class Ended extends Error {}

/** A sync to be reviewed: its feed, its proposal, and where it will be. */
interface Draft {
  source: OpenSource;
  recipes: KnownRecipes;
  corrected: CorrectedSync;
  place: Parameters<typeof reviewSync>[1];
}

/** Creates what `init` asks on a terminal. Each question throws Ended if the user wants nothing to be written. */
export function createQuestions(signal: AbortSignal) {
  return { confirmPrivate, askTimezone, confirmSync };

  async function confirmPrivate(host: string, address: string): Promise<boolean> {
    const shown = host === address ? host : `${host} (${address})`;
    return /^y(es)?$/i.test(await answer(`${shown} is in a private network. Open it? [y/N] `));
  }

  /** Asks for the site's time zone, which no feed contains. */
  async function askTimezone(proposed: string): Promise<string> {
    for (;;) {
      const zone = (await answer(`In which time zone is the website? [${proposed}] `)) || proposed;
      if (isTimeZone(zone)) return zone;
      show('Enter an IANA time zone, such as Europe/Berlin.');
    }
  }

  /** Shows a proposed sync, and lets the user correct its lines until its files may be written. */
  async function confirmSync({ source, recipes, place, ...draft }: Draft): Promise<ReadySync> {
    let { corrected } = draft;
    let review = await reviewSync(corrected.proposed, place);
    show(describeFound(review, place.target.timezone, process.stderr));
    for (;;) {
      for (const question of review.proposal.open) show(describeQuestion(question));
      const line = await answer(
        `${place.name}: Enter writes the files. LINE: VALUE corrects a line, such as title: Name. q ends. `,
      );
      if (line === 'q') throw new Ended();
      if (line === '' && review.drafted) return requireReady(review);
      try {
        if (line === '') requireReady(review);
        const next = await correctLine(source, recipes, signal, corrected, correctionOf(line, review));
        const changed = await reviewSync(next.proposed, place);
        if (changed.mistake && review.drafted) throw changed.mistake;
        [corrected, review] = [next, changed];
        show(describeFound(review, place.target.timezone, process.stderr));
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        show([error.message, error.remedy].filter(Boolean).join('\n'));
      }
    }
  }

  async function answer(question: string): Promise<string> {
    const text = await ask(plain(question), signal);
    if (text === undefined) throw new Ended();
    return text.trim();
  }
}

/** Reads the answer to an open question, or the correction of a line. */
function correctionOf(line: string, { proposal }: ReviewedSync): Correction {
  const [name = '', ...value] = line.split(':');
  const question = proposal.open.find(({ id }) => id === name.trim());
  return question ? { question: question.id, value: value.join(':').trim() } : parseCorrection(line);
}

function describeQuestion({ id, text, choices, safe }: Question): string {
  const lines = choices.map(({ value, label }) => `  ${id}: ${value}${label === value ? '' : `  (${label})`}`);
  return [`? ${text} Type one of these lines; Enter takes "${safe}".`, ...lines].map((one) => plain(one)).join('\n');
}

function show(text: string): void {
  print(`${text}\n`, process.stderr);
}
