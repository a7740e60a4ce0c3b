import { parse } from 'node:querystring';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './http/errors.ts';
import { basicHook, formHook, formSecret } from './http/headers.ts';
import { itemForm, readForm, type SentForm } from './item-form.ts';
import { writeItem } from './items.ts';
import { sendPage, sendSitePage } from './layout.ts';
import type { ResourceKind } from './resource.ts';
import { accountsPage, eventPage, eventsPage, shownTitle } from './site-pages.ts';
import type { Item } from './store/store.ts';
import { mediaTypeOf, type SandboxUploads } from './store/upload-store.ts';

interface PageParts {
  events: ResourceKind;
  accounts: ResourceKind;
  uploads: SandboxUploads;
  token: string;
}

type ById = { Params: { id: string } };
type Form = ById & { Body: SentForm };

/** Lists for people have this many items at most. */
const MOST_LISTED = 1000;

/** The pages and files to which API responses point, and forms to edit items. Events and files need no token. */
export async function sitePageRoutes(site: FastifyInstance, parts: PageParts): Promise<void> {
  const { events, accounts, uploads, token } = parts;

  site.get<{ Params: { '*': string } }>('/uploads/*', (request, reply) => {
    const src = `/uploads/${request.params['*']}`;
    if (!uploads.has(src)) throw new ApiError(404, 'There is no such file.');
    reply.header('x-content-type-options', 'nosniff').header('content-security-policy', "default-src 'none'; sandbox");
    return reply.type(mediaTypeOf(src)).send(uploads.read(src));
  });

  site.get('/healthz', () => ({ status: 'ok' }));

  site.get('/', (_, reply) => sendPage(reply, 'Sandbox', eventsPage(newest(events), accounts.table.count())));

  site.get<ById>('/events/:id', (request, reply) => {
    const { data } = itemAt(events, request.params.id);
    return sendSitePage(reply, shownTitle(data), eventPage(data, uploads));
  });

  site.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => parse(body),
  );
  await site.register(async (guarded) => {
    guarded.addHook('onRequest', basicHook(token));
    guarded.addHook('preHandler', formHook(token));
    guarded.get('/admin/accounts', (_, reply) => sendPage(reply, 'Accounts', accountsPage(newest(accounts))));
    editRoutes(guarded, { name: 'events', kind: events, list: '/', token });
    editRoutes(guarded, { name: 'accounts', kind: accounts, list: '/admin/accounts', token });
  });
}

interface EditParts {
  name: 'events' | 'accounts';
  kind: ResourceKind;
  /** Address of the list of these items. */
  list: string;
  token: string;
}

/** The form of an item, and what its buttons do. */
function editRoutes(site: FastifyInstance, { name, kind, list, token }: EditParts): void {
  const path = `/admin/${name}`;
  site.get<ById>(`${path}/:id`, (request, reply) => show(reply, itemAt(kind, request.params.id)));

  site.post<Form>(`${path}/:id`, (request, reply) =>
    change(request, reply, ({ id, instance, data }) => {
      const changes = kind.check(readForm(data, request.body));
      writeItem(kind, kind.merge(data, changes), instance, id);
      return `${path}/${id}`;
    }),
  );

  site.post<Form>(`${path}/:id/delete`, (request, reply) =>
    change(request, reply, ({ id, instance }) => {
      kind.table.remove(id, instance);
      return list;
    }),
  );

  /** Makes a change, and leads to the page that it returns. Shows the form again, as it was sent, if the change is refused. */
  function change(request: FastifyRequest<Form>, reply: FastifyReply, make: (item: Item) => string): FastifyReply {
    const item = itemAt(kind, request.params.id);
    try {
      return reply.redirect(make(item), 303);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return show(reply.code(error.status), item, { sent: request.body, problems: error.details });
    }
  }

  function show(reply: FastifyReply, item: Item, refused?: { sent: SentForm; problems: string[] }): FastifyReply {
    const parts = { path: `${path}/${item.id}`, kind, item, token: formSecret(token), ...refused };
    return sendPage(reply, `${name}/${item.id}`, itemForm(parts));
  }
}

function itemAt(kind: ResourceKind, id: string): Item {
  const item = /^[1-9]\d{0,14}$/.test(id) ? kind.table.find(Number(id)) : undefined;
  if (!item) throw new ApiError(404, 'There is no such page.');
  return item;
}

function newest({ table }: ResourceKind) {
  return { items: table.newest(MOST_LISTED), total: table.count() };
}
