import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Act } from '../../app/actions/actions.ts';
import { pathParams } from '../access/path-params.ts';
import { type ActingName, acting } from '../api/acting.ts';
import { parsed } from '../api/endpoint.ts';
import { formRoutes } from '../forms.ts';
import { problemNotice } from '../parts/notice.ts';
import { httpProblem } from '../problem.ts';
import { monthPage } from './calendar.ts';
import { dayPage } from './day.ts';
import { doctorPage } from './doctor.ts';
import { documentPages } from './documents.ts';
import { layout } from './layout.ts';
import { overviewPage } from './overview.ts';
import { type ConsolePage, optionalText, type PageContext } from './page.ts';
import { picturesPage } from './pictures.ts';
import { recordStoryPage } from './record.ts';
import { recordsPages } from './records.ts';
import { runPage } from './run.ts';
import { runsPages } from './runs.ts';
import { syncPage } from './sync.ts';

const HTML = 'text/html; charset=utf-8';

export const pages: readonly ConsolePage[] = [
  ...documentPages,
  overviewPage,
  syncPage,
  dayPage,
  ...runsPages,
  runPage,
  ...recordsPages,
  picturesPage,
  recordStoryPage,
  monthPage,
  doctorPage,
];

/** What pages and forms need of the config and the ledger in force; these are functions, because the config can change. */
interface Sources {
  act: () => Act;
  timezone: () => string;
  visits: () => Visits;
}

interface Visits {
  visit(person: string): Promise<void>;
  lastVisit(person: string): Promise<string | undefined>;
}

/** Serves all pages and forms. */
export function pageRoutes(server: FastifyInstance, sources: Sources): void {
  for (const page of pages) servePage(server, page, sources);
  formRoutes(server, sources.act);
  itemRoute(server);
  server.get('/syncs/:sync/rejects.csv', async (request, reply) => {
    const { sync = '' } = parsed(pathParams('/syncs/:sync'), request.params);
    const { run } = parsed(z.object({ run: optionalText }), request.query);
    // Throws for an unknown sync before the first line is sent.
    await request.queries.rejects(sync, { run });
    reply.header('content-disposition', `attachment; filename="${sync.replaceAll(/[^\w.-]/g, '_')}-rejects.csv"`);
    return reply.type('text/csv; charset=utf-8').send(Readable.from(request.queries.rejectsCsv(sync, run)));
  });
}

function itemRoute(server: FastifyInstance): void {
  const query = z.object({ key: z.string().min(1), in: z.enum(['site', 'cms']).default('site') });
  server.get('/syncs/:sync/item', async (request, reply) => {
    const { sync = '' } = parsed(pathParams('/syncs/:sync'), request.params);
    const { key, in: place } = parsed(query, request.query);
    return reply.redirect(await request.queries.itemAddress(sync, key, place, request.signal), 303);
  });
}

function servePage(server: FastifyInstance, page: ConsolePage, { timezone, visits }: Sources): void {
  server.get(page.path, async (request, reply) => {
    const { viewer, queries, signal } = request;
    const address = new URL(request.url, 'http://localhost');
    const did = address.searchParams.get('done') ?? '';
    address.searchParams.delete('done');
    const done = Object.hasOwn(acting, did) ? acting[did as ActingName].done : undefined;
    const isPart = request.headers['hx-request'] !== undefined;
    // A page that refreshes itself is not a sign that anybody looks at it.
    if (viewer.isNamed && !isPart) await visits().visit(viewer.name);
    const lastVisit = viewer.isNamed ? await visits().lastVisit(viewer.name) : undefined;
    const path = `${address.pathname}${address.search}`;
    const context: PageContext = { viewer, timezone: timezone(), path, now: Date.now(), lastVisit, done };
    reply.type(HTML).header('vary', 'hx-request');
    try {
      const input = {
        ...parsed(page.query ?? z.object({}), request.query),
        ...parsed(pathParams(page.path), request.params),
      };
      const content = await page.show(input, { queries, signal }, context);
      return isPart ? String(content.body) : layout(content, context);
    } catch (error) {
      if (!isPart) throw error;
      // The error is shown in place of the part.
      const problem = httpProblem(error as Error);
      if (problem.status >= 500) request.log.error({ err: error }, 'A part of a page failed.');
      return String(problemNotice(problem));
    }
  });
}
