import { version } from '../../../app/version.ts';
import type { ConsoleParts } from '../../../console/server.ts';

/** Placeholder until the queries, the actions and the pages are there. */
export function openConsole(): ConsoleParts {
  const none = (): never => {
    throw new Error('not there yet');
  };
  return {
    version: version(),
    queriesFor: none,
    actions: none,
    pages: { routes: () => {}, logIn: none, error: ({ message }) => message, liveRun: none },
  };
}
