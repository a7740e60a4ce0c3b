import { pageRoutes } from '../../../../src/console/pages/routes.ts';
import type { ServerOptions } from '../../../../src/console/server.ts';
import type { Queries } from '../../../../src/queries/create-queries.ts';
import { fakeConsole, recordedActions } from '../fake-console.ts';
import { serve } from '../server.ts';

/** Serves all pages with these answers; returns how to request one. */
export async function servePages(queries: Partial<Queries>, options: Partial<ServerOptions> = {}) {
  const looks: string[] = [];
  const visits = {
    visit: async (person: string) => void looks.push(person),
    lastVisit: async (person: string) => (person === 'Ann' ? '2027-03-01T09:00:00.000Z' : undefined),
  };
  const { act, done } = recordedActions();
  const routes: Parameters<typeof fakeConsole>[0]['pages'] = {
    routes: (server) =>
      pageRoutes(server, { act: () => act, timezone: () => 'America/New_York', visits: () => visits }),
  };
  const url = await serve({ console: fakeConsole({ queries, act, pages: routes }), ...options });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html', ...headers } });
    return { status: response.status, text: await response.text() };
  };
  return { url, get, done, looks };
}
