import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accountsPage, eventPage, eventsPage, itemPage, shownTitle } from './html.ts';
import { ApiError } from './http/errors.ts';
import { basicHook } from './http/headers.ts';
import { calendarOf } from './ical.ts';
import { type Journal, journalQuery } from './journal/journal.ts';
import { type Query, single, wholeNumber } from './list.ts';
import { descriptionRoutes } from './openapi/routes.ts';
import { exchangePage, journalPage } from './pages/journal-pages.ts';
import { sendPage, sendSitePage } from './pages/layout.ts';
import { checkAgainst, type ResourceKind } from './resource.ts';
import type { Item } from './store/store.ts';
import type { SandboxUploads } from './store/upload-store.ts';

interface PageParts {
  events: ResourceKind;
  accounts: ResourceKind;
  uploads: SandboxUploads;
  journal: Journal;
  token: string;
  /** IANA zone of the site. */
  timezone: string;
}

type ById = { Params: { id: string } };

const itemsPerPage = 50;

/** The pages and files to which API responses point, and pages that show what arrived. Only events and uploads need no token. */
export async function sitePageRoutes(site: FastifyInstance, parts: PageParts): Promise<void> {
  const { events, accounts, uploads, journal, token, timezone } = parts;
  const guarded = { onRequest: basicHook(token) };

  await site.register(staticFiles, {
    root: uploads.folder,
    prefix: '/uploads/',
    index: false,
    dotfiles: 'ignore',
    setHeaders: (reply) => {
      reply.header('x-content-type-options', 'nosniff');
      reply.header('content-security-policy', "default-src 'none'; sandbox");
    },
  });

  descriptionRoutes(site);
  site.get('/healthz', () => ({ status: 'ok' }));

  site.get('/', (request, reply) =>
    sendPage(reply, 'Sandbox', eventsPage(listPart(events, request), accounts.table.count())),
  );

  site.get<ById>('/events/:id', (request, reply) => {
    const item = itemAt(events, request.params.id);
    return sendSitePage(reply, shownTitle(item.data), eventPage(item.id, item.data, uploads));
  });

  site.get<ById>('/events/:id.ics', (request, reply) => {
    const item = itemAt(events, request.params.id);
    const calendar = calendarOf(item, timezone);
    if (calendar === undefined) throw new ApiError(404, 'The event has no date.');
    reply.header('content-disposition', `inline; filename="event-${item.id}.ics"`);
    return reply.type('text/calendar; charset=utf-8').header('x-content-type-options', 'nosniff').send(calendar);
  });

  for (const [name, kind] of Object.entries({ events, accounts })) {
    site.get<ById>(`/admin/${name}/:id`, guarded, (request, reply) => {
      const item = itemAt(kind, request.params.id);
      const path = `${name}/${item.id}`;
      return sendPage(reply, path, itemPage(path, kind.present(item)));
    });
  }

  site.get('/admin/accounts', guarded, (request, reply) =>
    sendPage(reply, 'Accounts', accountsPage(listPart(accounts, request))),
  );

  site.get('/admin/journal', guarded, (request, reply) =>
    sendPage(reply, 'Journal', journalPage(journal.read(checkAgainst(journalQuery, request.query)))),
  );

  site.get<ById>('/admin/journal/:id', guarded, (request, reply) => {
    const exchange = journal.read().find(({ id }) => String(id) === request.params.id);
    if (!exchange) throw new ApiError(404, 'There is no such exchange, or no longer.');
    return sendPage(reply, `${exchange.method} ${exchange.path}`, exchangePage(exchange));
  });
}

function itemAt(kind: ResourceKind, id: string): Item {
  const item = /^[1-9]\d{0,14}$/.test(id) ? kind.table.find(Number(id)) : undefined;
  if (!item) throw new ApiError(404, 'There is no such page.');
  return item;
}

function listPart({ table }: ResourceKind, { query }: FastifyRequest) {
  const page = Number(single(query as Query, 'page', wholeNumber) ?? 1);
  const total = table.count();
  const items = table.newest(itemsPerPage, (page - 1) * itemsPerPage);
  return { items, total, page, pages: Math.ceil(total / itemsPerPage) };
}
