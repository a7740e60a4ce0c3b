import * as addresses from './addresses.ts';
import { capitalised } from './figures.ts';
import { type Subject, textParts } from './text-parts.ts';

/** A place of the console where a person can do what a command does. */
export interface ConsolePlace {
  /** How a sentence refers to the place. */
  text: string;
  path: string;
}

interface Arguments {
  run?: string;
  sync?: string;
  key?: string;
  flags: ReadonlySet<string>;
}

const syncPath = (sync: string | undefined, part?: Parameters<typeof addresses.syncPath>[1]) =>
  sync ? addresses.syncPath(sync, part) : '/';
const recordPath = ({ sync, key }: Arguments) =>
  sync && key !== undefined ? addresses.recordPath(sync, key) : addresses.recordsPath(sync || undefined);

/** The places by the names of commands. A command that is not here can only be used on the command line. */
const PLACES: Readonly<Record<string, (given: Arguments) => ConsolePlace | undefined>> = {
  approve: ({ run, flags }) => {
    if (!run) return { text: 'the plans on hold', path: '/' };
    const path = addresses.runPath(run, 'plan');
    if (flags.has('--list')) return { text: 'the plan', path: `${path}#items` };
    return { text: 'approve the plan', path: `${path}#decision` };
  },
  reject: ({ run }) =>
    run ? { text: 'reject the plan', path: `${addresses.runPath(run, 'plan')}#decision` } : undefined,
  retry: (given) => {
    if (given.flags.has('--same')) return { text: 'answer “The same”', path: `${recordPath(given)}#answer` };
    if (given.flags.has('--distinct')) return { text: 'answer “Something else”', path: `${recordPath(given)}#answer` };
    if (given.flags.has('--publish')) return { text: 'answer “Publish it”', path: `${recordPath(given)}#answer` };
    if (given.flags.has('--leave')) return { text: 'answer “Leave it out”', path: `${recordPath(given)}#answer` };
    if (given.flags.has('--recreate')) return { text: 'bring it back', path: recordPath(given) };
    return { text: 'Retry', path: given.key === undefined ? syncPath(given.sync) : recordPath(given) };
  },
  explain: (given) => {
    if (given.flags.has('--adopt')) return { text: 'adopt it', path: `${recordPath(given)}#adopt` };
    return { text: 'the page of the record', path: recordPath(given) };
  },
  questions: ({ sync, flags }) => {
    const path = syncPath(sync, 'questions');
    return flags.has('--take-back')
      ? { text: 'take it back', path: `${path}#answered` }
      : { text: 'the questions', path };
  },
  acknowledge: ({ sync }) => ({ text: 'acknowledge the reject', path: syncPath(sync, 'rejects') }),
  rejects: ({ sync }) => ({ text: 'the rejects', path: syncPath(sync, 'rejects') }),
  runs: ({ sync }) => ({ text: 'the list of runs', path: syncPath(sync, 'runs') }),
  status: ({ sync }) => ({ text: sync ? 'the page of the sync' : 'the overview', path: syncPath(sync) }),
  sync: ({ sync }) => ({ text: 'Run now', path: syncPath(sync) }),
  verify: ({ sync, flags }) => {
    const text = flags.has('--heal') ? 'the repair of what differs' : 'the verification';
    return { text, path: syncPath(sync, 'verification') };
  },
  pause: ({ sync }) => ({ text: 'pause the sync', path: syncPath(sync) }),
  resume: ({ sync }) => ({ text: 'on the page of the sync', path: syncPath(sync) }),
  undo: ({ run }) => ({ text: 'the undo', path: run ? addresses.runPath(run, 'undo') : '/' }),
  release: ({ sync }) => ({ text: 'keep its items, but stop managing them', path: `${syncPath(sync)}#release` }),
  backfill: ({ sync }) => ({ text: 'import other days', path: `${syncPath(sync)}#backfill` }),
  purge: ({ sync }) => ({ text: 'delete its items', path: syncPath(sync, 'purge') }),
  doctor: () => ({ text: 'Doctor', path: '/doctor' }),
  help: ({ sync: topic }) =>
    topic === 'http' ? { text: 'the description of the API', path: '/api/openapi.json' } : undefined,
};

const OF_RUNS: ReadonlySet<string> = new Set(['approve', 'reject', 'undo']);
const PLACEHOLDER = /^(RUN|SYNC|KEY|ID)$/;

/** Returns where in the console a person can do what a command does; undefined if only the command line can. */
export function consolePlace(command: string, subject: Subject): ConsolePlace | undefined {
  // A key may be quoted.
  const [, name = '', ...rest] = (command.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
  const [first, second] = rest.filter((word) => !word.startsWith('-') && !PLACEHOLDER.test(word));
  const flags = new Set(rest.filter((word) => word.startsWith('-')));
  const named = OF_RUNS.has(name) ? { run: first } : { sync: first, key: second };
  return PLACES[name]?.({ ...subject, ...withoutAbsent(named), flags });
}

function withoutAbsent(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((each): each is [string, string] => each[1] !== undefined));
}

/** A sentence ends at a sign before a blank; not in code between backticks. */
const SENTENCE = /(?:`[^`]*`|[^`.!?]|[.!?](?!\s|$))+[.!?]*\s*/g;
const VARIABLE = /\b[A-Z]{2,}(?:_[A-Z]+)+\b/;

/**
 * Splits a remedy into what everyone understands, and what is for the people who run feedferry: sentences with settings, with variables,
 * or with commands that the console has no place for.
 */
export function splitAdvice(text: string, subject: Subject): { plain: string; technical: string } {
  const parts = (text.match(SENTENCE) ?? []).flatMap((sentence) => {
    if (!isTechnical(sentence, subject)) return sentence;
    const [first = '', ...others] = sentence.split(/, (?=or )/);
    return others.length === 0 || isTechnical(first, subject)
      ? sentence
      : [`${first}. `, capitalised(others.join(', '))];
  });
  // A sentence after a technical one may refer to it, unless it leads to a page.
  const first = parts.findIndex((part) => isTechnical(part, subject));
  const isPlain = (part: string, nth: number) =>
    first < 0 || nth < first || (part.includes('`feedferry ') && !isTechnical(part, subject));
  const [plain, technical] = [true, false].map((is) =>
    parts
      .filter((part, nth) => isPlain(part, nth) === is)
      .join('')
      .trim(),
  );
  return { plain: plain ?? '', technical: technical ?? '' };
}

function isTechnical(sentence: string, subject: Subject): boolean {
  return textParts(sentence, subject).some(({ is, text }) => {
    if (is === 'words') return VARIABLE.test(text.replaceAll(/\bFF_\w+/g, ''));
    return is !== 'command' || !consolePlace(text, subject);
  });
}
