import type { Actions, Actor } from '../../../src/app/service/actions.ts';
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
export function fakeConsole(options: {
  queries?: Partial<Queries>;
  actions?: Partial<Actions>;
  pages?: Partial<Pages>;
}) {
  const queries = withOnly<Queries>(options.queries ?? {});
  const pages: Pages = {
    routes: () => {},
    logIn: ({ to, name = '', error = '' }) => `<form>to ${to} as ${name}: ${error}</form>`,
    error: ({ status, code, message }) => `<h1>${status} ${code}</h1>${message}`,
    ...options.pages,
  };
  const parts: ConsoleParts = {
    version: '1.2.3',
    queriesFor: () => queries,
    changed: () => {},
    cmsUrl: () => 'http://cms.example.edu/api',
    actions: () => withOnly<Actions>(options.actions ?? {}),
    pages,
  };
  return parts;
}

/** Actions that begin the run "r1", and a list of what they were asked. */
export function recordedActions() {
  const done: unknown[][] = [];
  const begin =
    (name: string) =>
    async (...given: unknown[]) => {
      done.push([name, ...given]);
      return { run: 'r1', started: true };
    };
  const only =
    (name: string) =>
    async (...given: unknown[]) => {
      done.push([name, ...given]);
    };
  const actions: Actions = {
    begin: begin('begin'),
    retry: begin('retry'),
    approve: begin('approve'),
    undo: begin('undo'),
    adopt: begin('adopt'),
    repair: begin('repair'),
    async verify(...given) {
      done.push(['verify', ...given]);
    },
    async acknowledge(...given) {
      done.push(['acknowledge', ...given]);
      return ['a'];
    },
    async takeBack(...given) {
      done.push(['takeBack', ...given]);
      return ['a'];
    },
    answer: only('answer'),
    takeBackAnswers: only('takeBackAnswers'),
    purge: begin('purge'),
    pause: only('pause'),
    resume: only('resume'),
    async cancel(...given) {
      done.push(['cancel', ...given]);
      return { run: 'r1', ended: true };
    },
    async reject(...given: [string, { set: string; reason: string }, Actor]) {
      done.push(['reject', ...given]);
    },
  };
  return { actions, done };
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
