import { statSync } from 'node:fs';
import type { Logger } from 'pino';
import { loadPeople } from '../config/people-file.ts';
import type { Person } from '../core/access/person.ts';
import { toCodedError } from '../core/errors.ts';

const LOOK_MS = 2_000;

/**
 * Reads the people who have access, and follows changes of their file. If the changed file has mistakes, they are logged, and the
 * previous people keep their access.
 * @returns a function that returns the people as of now
 * @throws ConfigError if the file has mistakes at the start
 */
export function watchPeople(file: string, variables: NodeJS.ProcessEnv, log: Logger): () => readonly Person[] {
  let seen = signatureOf(file);
  let people = loadPeople(file, variables);
  let lookedAt = performance.now();
  return () => {
    if (performance.now() - lookedAt >= LOOK_MS) look();
    return people;
  };

  function look(): void {
    lookedAt = performance.now();
    const signature = signatureOf(file);
    if (signature === seen) return;
    seen = signature;
    try {
      people = loadPeople(file, variables);
      log.info({ people: people.length }, 'The file of the tokens has changed. The new one is in force.');
    } catch (error) {
      const { code, message } = toCodedError(error);
      for (const problem of message.split('\n')) log.error({ code }, problem);
      log.error('The changed file of the tokens cannot be used. The previous one stays in force.');
    }
  }
}

function signatureOf(file: string): string {
  const { mtimeMs, size, ino } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs} ${size} ${ino}`;
}
