import { type Act, actionTable } from '../../../src/app/actions/actions.ts';
import type { ConsoleParts, Pages } from '../../../src/console/server.ts';
import { zeroCounts } from '../../../src/core/run.ts';
import type { Queries } from '../../../src/queries/create-queries.ts';
import type { OverviewView } from '../../../src/queries/views/overview.ts';
import type { RunDetailView } from '../../../src/queries/views/run.ts';

const unasked = () => Promise.reject(new Error('not asked in this test'));

/** Functions of which a test needs some. */
export function withOnly<T extends object>(some: Partial<T>): T {
  return new Proxy(some, { get: (target, name) => Reflect.get(target, name) ?? unasked }) as T;
}

/** What the server shows and does in a test, with a list of what was done. */
export function fakeConsole(options: { queries?: Partial<Queries>; act?: Act; pages?: Partial<Pages> }) {
  const queries = withOnly<Queries>(options.queries ?? {});
  const pages: Pages = {
    routes: () => {},
    logIn: ({ to, name = '', error = '' }) => `<form>to ${to} as ${name}: ${error}</form>`,
    error: ({ status, code, message }) => `<h1>${status} ${code}</h1>${message}`,
    owner: unasked,
    ...options.pages,
  };
  const parts: ConsoleParts = {
    version: '1.2.3',
    queriesFor: () => queries,
    changed: () => {},
    cmsUrl: () => 'http://cms.example.edu/api',
    act: () => options.act ?? (unasked as Act),
    pages,
  };
  return parts;
}

/** Actions that begin the run "r1", and a list of what they were asked. */
export function recordedActions() {
  const done: unknown[][] = [];
  const act = (async (...asked: Parameters<Act>) => {
    done.push(asked);
    const { response } = actionTable[asked[0]];
    return { sync: 'talks', keys: ['a'], ...('run' in response.shape && { run: 'r1', started: true }) };
  }) as unknown as Act;
  return { act, done };
}

export const overview: OverviewView = {
  at: '2027-03-01T10:00:00.000Z',
  timezone: 'America/New_York',
  target: { baseUrl: 'https://cms.example.edu', state: 'open' },
  scheduler: { isRunning: true },
  syncs: [],
  attention: [],
  orphans: [],
};

/** A run that is in progress, unless more is said. */
export function aRun(more: Partial<RunDetailView> = {}): RunDetailView {
  return {
    run: 'r1',
    sync: 'talks',
    kind: 'run',
    status: 'running',
    succeeded: false,
    hasRead: true,
    startedAt: '2027-03-01T10:00:00.000Z',
    durationMs: 500,
    counts: zeroCounts(),
    complete: false,
    warnings: [],
    changes: 0,
    alerts: [],
    deeds: [],
    ...more,
  };
}
