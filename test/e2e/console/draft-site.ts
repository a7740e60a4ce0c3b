import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect } from 'vitest';
import { openApp } from '../../../src/app/app.ts';
import { readEnvironment } from '../../../src/app/environment.ts';
import { loadAppConfig } from '../../../src/app/load-config.ts';
import type { Service } from '../../../src/app/service/service.ts';
import { openConsole } from '../../../src/cli/commands/service/console-parts.ts';
import { loadPeople } from '../../../src/config/people-file.ts';
import { startServer } from '../../../src/console/server.ts';
import { optionsOf } from '../../unit/console/server.ts';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite } from '../site.ts';

const engines = { ledger: 'sqlite', queue: 'in-process' } as const;
const PEOPLE = `
- { name: Ann, role: operate, configure: true, token: token-of-ann-0123456789 }
- { name: Ben, role: approve, token: token-of-ben-0123456789 }
- { name: Cleo, role: view, configure: true, token: token-of-cleo-0123456789 }
`;
export const FEED = `id,name,when,hall,mail
1,Maps,03/04/2027 18:00,<b>Room</b> A,ann@example.org
2,Ships,13/04/2027 18:00,Room B,bob@example.org
3,Tides,30/02/2027 18:00,Room C,
`;

/** A console that drafts syncs for the people of a file, over a site with a sync. */
export async function openDraftSite(variables: Record<string, string> = {}) {
  const site = await openSite(engines, { target: '  attributes: { events: [theme] }\n' });
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  const file = join(site.dir, 'tokens.yaml');
  writeFileSync(file, PEOPLE);
  const environment = readEnvironment(
    { ...site.variables, HTTP_EDIT: 'draft', ...variables },
    join(site.dir, 'config'),
  );
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const app = await openApp(loadAppConfig(environment), environment, log, {});
  const inForce = { ...app };
  const service = { app: inForce, actions: {} } as unknown as Service;
  const people = loadPeople(file, {});
  const parts = { people: () => people, edit: environment.http.edit, rateCap: { requests: 1e6, windowMs: 1000 }, log };
  const server = await startServer(
    optionsOf({ ...parts, console: openConsole(service, environment, log, async () => reload()) }),
  );
  return { site, app, person, reload, log: () => lines.join(''), [Symbol.asyncDispose]: close };

  /** Puts the files of the config folder in force, as the watch of a service does. */
  function reload(): void {
    inForce.config = loadAppConfig(environment);
  }

  function person(name: 'ann' | 'ben' | 'cleo') {
    return personAt(server.url, `token-of-${name}-0123456789`);
  }

  async function close(): Promise<void> {
    await server.close();
    await app.close();
    await site[Symbol.asyncDispose]();
  }
}

export type DraftPerson = ReturnType<typeof personAt>;

/** A person with a token. Forms carry the token of their page, as in a browser. */
function personAt(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/html' };
  return { get, post, upload, draft };

  async function get(path: string) {
    const response = await fetch(`${url}${path}`, { headers, redirect: 'manual' });
    return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
  }

  async function csrf(): Promise<string> {
    const { text } = await get('/feeds/new');
    return /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
  }

  async function send(path: string, body: URLSearchParams | FormData) {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body, redirect: 'manual' });
    return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
  }

  async function post(path: string, fields: Record<string, string> | Array<[string, string]>) {
    const body = new URLSearchParams(fields as Record<string, string>);
    body.set('csrf', await csrf());
    return send(path, body);
  }

  async function upload(name: string, content: string, token?: string, path = '/feeds/upload') {
    const body = new FormData();
    body.set('csrf', token ?? (await csrf()));
    body.set('file', new Blob([content]), name);
    return send(path, body);
  }

  /** Uploads a feed, and returns the address of its draft. */
  async function draft(content = FEED, name = 'talks.csv'): Promise<string> {
    const { status, location, text } = await upload(name, content);
    expect(status, text).toBe(303);
    return location;
  }
}
