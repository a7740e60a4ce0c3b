import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Draft,
  type DraftOrigin,
  type DraftPlace,
  type ReadyDraft,
  requireReady,
  sayAbout,
} from '../../../app/drafts/draft.ts';
import { textDraft } from '../../../app/drafts/written-draft.ts';
import { isTimeZone } from '../../../core/dates/time-zone.ts';
import { CodedError } from '../../../core/errors.ts';
import { type Correction, correct, parseCorrection } from '../../../inference/correct/correct.ts';
import { NO_CORRECTIONS } from '../../../inference/correct/corrections.ts';
import type { Question } from '../../../inference/proposal.ts';
import { fieldPaths } from '../../../inference/review/review.ts';
import { ask } from '../../output/confirm.ts';
import { plain, print } from '../../output/print.ts';
import { describeFound } from './describe.ts';

/** Thrown when the user ends the questions. */
export class Ended extends Error {}

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

  /** Shows a draft, and lets the user correct its lines or edit its text until its files may be written. */
  async function confirmSync(first: Draft, given: DraftOrigin, place: DraftPlace): Promise<ReadyDraft> {
    let [origin, draft, text] = [given, first, first.drafted?.syncFile.text];
    describe();
    for (;;) {
      for (const question of draft.proposal.open) show(describeQuestion(question));
      const line = await answer(
        `${draft.name}: Enter writes the files. e opens the sync in an editor. NAME=FIELD corrects a line, such as title=Name. q ends. `,
      );
      if (line === 'q') throw new Ended();
      if (line === '' && draft.drafted) return requireReady(draft);
      try {
        if (line === 'e') await edit();
        else if (line === '') requireReady(draft);
        else {
          const said = correct(draft.said, correctionOf(line, draft), fieldPaths(draft.sample));
          draft = await sayAbout(origin, draft, said, signal);
        }
        text = draft.drafted?.syncFile.text ?? text;
        describe();
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        show([error.message, error.remedy].filter(Boolean).join('\n'));
      }
    }

    function describe(): void {
      show(describeFound(draft, place.target.timezone, process.stderr));
    }

    /** Lets the user edit the text of the sync. What the user wrote stays for the next time, even if it has mistakes. */
    async function edit(): Promise<void> {
      text = await editText(`${draft.name}.yaml`, text ?? requireReady(draft).drafted.syncFile.text, place.variables);
      const path = join(place.dir, 'syncs', `${draft.name}.yaml`);
      const edited = textDraft({ ...place, name: draft.name, path, text, opened: origin.opened, hasTests: true });
      const former = draft.drafted?.sync.source.url;
      draft = await edited.make(NO_CORRECTIONS, signal);
      origin = edited;
      const isOther = draft.drafted?.sync.source.url !== former;
      if (isOther)
        show('The records below are still those of the former feed. To read another one, run init on its address.');
    }
  }

  async function answer(question: string): Promise<string> {
    const text = await ask(plain(question), signal);
    if (text === undefined) throw new Ended();
    return text.trim();
  }
}

/** Opens a text in the editor of the user, and returns it when the editor ends. */
async function editText(name: string, text: string, { VISUAL, EDITOR }: DraftPlace['variables']): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-init-'));
  try {
    const file = join(dir, name);
    writeFileSync(file, text, { mode: 0o600 });
    const editor = VISUAL || EDITOR || 'vi';
    const [code] = await once(spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' }), 'close');
    if (code !== 0)
      throw new CodedError('FF_USAGE', `The editor "${editor}" ended with ${code}.`, { remedy: 'Set EDITOR.' });
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Reads the answer to an open question, or the correction of a line. */
function correctionOf(line: string, { proposal }: Draft): Correction {
  const [, name = '', value = ''] = /^([^:=]*)[:=](.*)$/s.exec(line) ?? [];
  const question = proposal.open.find(({ id }) => id === name.trim());
  return question ? { question: question.id, value: value.trim() } : parseCorrection(line);
}

function describeQuestion({ id, text, choices, safe }: Question): string {
  const lines = choices.map(({ value, label }) => `  ${id}: ${value}${label === value ? '' : `  (${label})`}`);
  return [`? ${text} Type one of these lines; Enter takes "${safe}".`, ...lines].map((one) => plain(one)).join('\n');
}

function show(text: string): void {
  print(`${text}\n`, process.stderr);
}
