import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { contentSecurityPolicy, eventPage, indexPage, itemPage } from './html.ts';
import { ApiError } from './http/errors.ts';
import { basicHook } from './http/headers.ts';
import { calendarOf } from './ical.ts';
import type { ResourceKind } from './resource.ts';
import type { Item } from './store/store.ts';
import type { SandboxUploads } from './store/upload-store.ts';

interface PageParts {
  events: ResourceKind;
  accounts: ResourceKind;
  uploads: SandboxUploads;
  token: string;
  /** IANA zone of the site. */
  timezone: string;
}

type ById = { Params: { id: string } };

/** The pages and files that API responses point to. Events and uploads are public; records need the token. */
export async function sitePageRoutes(site: FastifyInstance, parts: PageParts): Promise<void> {
  const { events, accounts, uploads, token, timezone } = parts;

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

  site.get('/healthz', () => ({ status: 'ok' }));

  site.get('/', (_request, reply) => {
    const totals = { events: events.table.count(), accounts: accounts.table.count() };
    return sendPage(reply, indexPage(events.table.newest(50), totals));
  });

  site.get<ById>('/events/:id', (request, reply) => {
    const item = itemAt(events, request.params.id);
    return sendPage(reply, eventPage(item.id, item.data, uploads));
  });

  site.get<ById>('/events/:id.ics', (request, reply) => {
    const item = itemAt(events, request.params.id);
    const calendar = calendarOf(item, timezone);
    if (calendar === undefined) throw new ApiError(404, 'The event has no date.');
    reply.header('content-disposition', `inline; filename="event-${item.id}.ics"`);
    return reply.type('text/calendar; charset=utf-8').header('x-content-type-options', 'nosniff').send(calendar);
  });

  for (const [name, kind] of Object.entries({ events, accounts })) {
    site.get<ById>(`/admin/${name}/:id`, { onRequest: basicHook(token) }, (request, reply) => {
      const item = itemAt(kind, request.params.id);
      return sendPage(reply, itemPage(`${name} ${item.id}`, kind.present(item)));
    });
  }
}

function itemAt(kind: ResourceKind, id: string): Item {
  const item = /^[1-9]\d{0,14}$/.test(id) ? kind.table.find(Number(id)) : undefined;
  if (!item) throw new ApiError(404, 'There is no such page.');
  return item;
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', contentSecurityPolicy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .send(html);
}
