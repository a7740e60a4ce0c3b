import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { createActions } from '../../../src/app/actions/create-actions.ts';
import { openApp } from '../../../src/app/app.ts';
import { loadAppConfig } from '../../../src/app/load-config.ts';
import type { Service } from '../../../src/app/service/service.ts';
import { openConsole } from '../../../src/cli/commands/service/console-parts.ts';
import { acting } from '../../../src/console/api/acting.ts';
import { endpoints } from '../../../src/console/api/api.ts';
import { pages } from '../../../src/console/pages/routes.ts';
import { startServer } from '../../../src/console/server.ts';
import { toCursor } from '../../../src/queries/answers/paging.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { isLong } from '../../support/long.ts';
import { optionsOf } from '../../unit/console/server.ts';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite, type Site } from '../site.ts';

/** What nobody should send. */
const NASTY = [
  ...['', ' ', '\0', 'a\0b', '%', '%zz', '../../etc/passwd', '//evil.example.org', '\\', '/', '?', '#', '.', '..'],
  ...['__proto__', 'constructor', "' or 1=1 --", '<script>', '\u{1F600}', '\uD800', '\r\n', 'é'.repeat(300)],
  ...['-1', '0', '1e999', 'NaN', '99999999999999999999', '0000-01', '9999-12', '2027-00', 'null', '[]', '{}'],
  ...[toCursor([]), toCursor(['create', 7]), toCursor(['delete', '\0']), toCursor({}), toCursor(null)],
  ...[
    toCursor(['-1', '']),
    toCursor(['9e99', 'x']),
    toCursor([1, 2, 3]),
    toCursor('\0'),
    Buffer.from('{').toString('base64url'),
  ],
];

type Shape = z.ZodObject | undefined;

interface Route {
  method: string;
  path: string;
  query?: Shape;
  body?: Shape | undefined;
  isForm?: boolean;
}

const routes: Route[] = [
  ...endpoints.map((each) => ({ ...each, path: `/api${each.path}` })),
  ...pages.map((page) => ({ ...page, method: 'GET' })),
  ...Object.values(acting).map(({ method, path, body }) => ({ method, path, body, isForm: true })),
  ...['/syncs/:sync/rejects.csv'].map((path) => ({ method: 'GET', path })),
];

// PostgreSQL, if there is one, refuses more texts than SQLite.
describe.each(ledgerEngines.filter(hasEngine).slice(-1))('Bad input on %s', (ledger) => {
  let site: Site;
  let url: string;
  const closing: Array<() => Promise<unknown>> = [];

  beforeAll(async () => {
    site = await openSite({ ledger, queue: 'in-process' });
    writeTalks(site, threeTalks);
    writeTalksSync(site);
    right.run = (await site.sync())[0]?.run ?? '';
    const environment = site.environment();
    const log = pino({ level: 'silent' });
    const { signal } = new AbortController();
    const app = await openApp(loadAppConfig(environment), environment, log, {});
    const actions = createActions(app, { environment, log, signal, onFinished: () => {} });
    const service = { app, act: actions.act } as unknown as Service;
    const server = await startServer(
      optionsOf({
        console: openConsole(service, environment, log, async () => {}),
        rateCap: { requests: 1e6, windowMs: 1000 },
      }),
    );
    closing.push(server.close, actions.close, app.close);
    url = server.url;
  });

  afterAll(async () => {
    for (const close of closing) await close();
    await site[Symbol.asyncDispose]();
  });

  /** Values that are right, but with which nothing begins. */
  const right: Record<string, string> = { sync: 'talks', key: 'T1', set: 'other', confirm: 'other', reason: 'why' };

  async function ask({ method, path, isForm }: Route, given: { params: object; query: string; body?: object }) {
    const params: Record<string, string> = { ...right, ...given.params };
    const filled = path.replaceAll(/:(\w+)/g, (_, name) => encoded(params[name] ?? ''));
    const csrf = isForm ? await csrfToken() : '';
    const response = await fetch(`${url}${filled}${given.query && `?${given.query}`}`, {
      method,
      redirect: 'manual',
      // Only to find what hangs.
      signal: AbortSignal.timeout(100_000),
      headers: {
        accept: isForm ? 'text/html' : '*/*',
        ...(method === 'POST' && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
      },
      ...(method === 'POST' && {
        body: isForm ? new URLSearchParams({ ...given.body, csrf }) : JSON.stringify(given.body ?? {}),
      }),
    });
    const text = await response.text();
    const isCoded = response.status < 400 || /FF_(?!BUG)[A-Z_]+/.test(text);
    if (response.status < 500 && isCoded) return [];
    return [
      `${method} ${filled}?${given.query} ${JSON.stringify(given.body ?? {})} → ${response.status} ${text.slice(0, 300)}`,
    ];
  }

  let csrf: string | undefined;
  async function csrfToken(): Promise<string> {
    csrf ??= /name="csrf" value="([^"]+)"/.exec(
      await (await fetch(`${url}/doctor`, { headers: { accept: 'text/html' } })).text(),
    )?.[1];
    return csrf ?? '';
  }

  test.each(routes)('$method $path is never an unexpected failure', { timeout: 120_000 }, async (route) => {
    const inPath = [...route.path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
    const inQuery = Object.keys(route.query?.shape ?? {});
    const inBody = Object.keys(route.body?.shape ?? {});
    const query = (name?: string, ...values: string[]) => {
      const others = inQuery.filter((each) => each !== name && right[each]);
      const pairs = [...others.map((each) => [each, right[each]]), ...values.map((value) => [name, value])];
      return pairs.map(([key, value = '']) => `${key}=${encoded(value)}`).join('&');
    };
    const body = (name: string, value: string) => {
      return {
        ...Object.fromEntries(inBody.flatMap((each) => (right[each] ? [[each, right[each]]] : []))),
        [name]: value,
      };
    };
    const asked = NASTY.flatMap((value, nth) => {
      const requests = [
        ...inPath.map((name) => ({ params: { [name]: value }, query: query() })),
        ...inQuery.map((name) => ({ params: {}, query: query(name, value) })),
        ...inBody
          .filter((name) => name !== 'reason')
          .map((name) => ({ params: {}, query: '', body: body(name, value) })),
      ];
      // The short form sends each value to every sixth of the places, and to each place every sixth value.
      return requests.filter((_, place) => isLong || (place + nth + routes.indexOf(route)) % 6 === 0);
    });
    const twice = inQuery.map((name) => ({ params: {}, query: `${query(name, 'a', 'b')}&${name}[x]=%ff` }));
    const failures = await Promise.all([...asked, ...twice].map((given) => ask(route, given)));
    expect(failures.flat()).toEqual([]);
  });
});

/** As a client may send it: lone surrogates and all. */
function encoded(value: string): string {
  return value.replaceAll(/[^\w.~%-]/gu, (letter) => {
    return letter === '\uD800' ? '%ED%A0%80' : encodeURIComponent(letter);
  });
}
