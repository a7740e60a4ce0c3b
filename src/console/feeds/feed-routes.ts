import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { FeedDrafts } from '../../app/drafts/feed-drafts.ts';
import { CodedError } from '../../core/errors.ts';
import { syncPath, withQuery } from '../../core/text/addresses.ts';
import { maskedIn } from '../../core/text/masked.ts';
import { configureHook } from '../access/guard.ts';
import { pathParams } from '../access/path-params.ts';
import { mayDo } from '../access/viewer.ts';
import { parsed } from '../api/endpoint.ts';
import { layout } from '../pages/layout.ts';
import type { PageContent } from '../pages/page.ts';
import { httpProblem, type Problem } from '../problem.ts';
import { correctionForm, draftChangeOf } from './correction-form.ts';
import { editsPage } from './edits-page.ts';
import { fieldsPage, lineAnchor } from './fields-page.ts';
import { maskedDraft } from './masked-draft.ts';
import { NEW_FEED, newFeedPage, newVersionPage, UPLOAD } from './new-feed.ts';
import { draftPath } from './pickers.ts';
import { previewPage } from './preview-page.ts';
import { downloadOf, downloads, savePage } from './save-page.ts';
import type { StepContext } from './step.ts';
import { fileRoutes } from './upload-route.ts';

const DRAFT = '/feeds/:draft';
const CHANGE = '/syncs/:sync/change';
const NEW_VERSION = '/syncs/:sync/upload';
const EDITS = '/syncs/:sync/edits';
const addressForm = z.object({ address: z.string().max(4000) });
const sourceQuery = z.object({ source: z.string().max(200).optional() });
const nameForm = z.object({ name: z.string().trim().max(200).optional() });
const editsQuery = z.object({
  done: z
    .literal('edit')
    .transform(() => true)
    .optional(),
});
const SAVED = 'Saved. This is in force within seconds.';
const takeBackForm = z.object({ at: z.iso.datetime() });

/** What the pages of drafts work with. */
interface FeedParts {
  drafts: FeedDrafts;
  timezone: () => string;
}

/**
 * Serves the pages on which people with the permission draft syncs from feeds. They work without scripts: each form is a POST that
 * leads to a page, or shows the page at its own address with the reason why it was refused.
 */
export function feedRoutes(server: FastifyInstance, { drafts, timezone }: FeedParts): void {
  const { files } = drafts;
  server.register(async (scope) => {
    scope.addHook('onRequest', configureHook);
    scope.addHook('onClose', async () => drafts.close());

    scope.get(NEW_FEED, async (request, reply) => show(request, reply, newFeed(request)));
    scope.get(UPLOAD, async (_, reply) => reply.redirect(NEW_FEED));
    scope.post(NEW_FEED, async (request, reply) => {
      const { address } = parsed(addressForm, request.body);
      // A password is not shown again.
      const shown = address.includes('@') ? undefined : address;
      const failed = (problem: Problem) => newFeed(request, { problem, address: shown });
      return acting(request, reply, failed, async (owner) => {
        return draftPath((await drafts.open({ address }, owner, request.signal)).id);
      });
    });
    scope.get(CHANGE, async (request, reply) => {
      const { source } = parsed(sourceQuery, request.query);
      const { id } = await drafts.openSync(syncIn(request), source, request.viewer.holder, request.signal);
      return reply.redirect(draftPath(id), 303);
    });
    scope.get(NEW_VERSION, async (request, reply) => show(request, reply, newVersion(request)));
    await scope.register(async (uploads) => {
      await fileRoutes(uploads, {
        [UPLOAD]: (file, request, reply) => {
          const failed = (problem: Problem) => newFeed(request, { problem });
          return acting(request, reply, failed, async (owner) => {
            return draftPath((await drafts.open(file, owner, request.signal)).id);
          });
        },
        [NEW_VERSION]: (file, request, reply) => {
          const { source } = parsed(sourceQuery, request.query);
          const failed = (problem: Problem) => newVersion(request, problem);
          return acting(request, reply, failed, async (owner) => {
            return draftPath((await drafts.openUpload(syncIn(request), source, file, owner, request.signal)).id);
          });
        },
      });
    });

    scope.get(DRAFT, async (request, reply) => show(request, reply, fieldsPage(contextOf(request))));
    scope.post(DRAFT, async (request, reply) => {
      const form = parsed(correctionForm, request.body);
      return acting(request, reply, stepOf(request, fieldsPage), async (owner, id) => {
        await drafts.change(id, owner, draftChangeOf(form), request.signal);
        return form.how === 'answer' ? draftPath(id) : lineAnchor(id, form.line);
      });
    });
    scope.get(`${DRAFT}/preview`, async (request, reply) => show(request, reply, previewPage(contextOf(request))));
    scope.post(`${DRAFT}/preview`, async (request, reply) =>
      acting(request, reply, stepOf(request, previewPage), async (owner, id) => {
        await drafts.plan(id, owner, request.signal);
        return `${draftPath(id, 'preview')}#plan`;
      }),
    );
    scope.get(`${DRAFT}/save`, async (request, reply) => show(request, reply, savePage(contextOf(request))));
    scope.post(`${DRAFT}/discard`, async (request, reply) => {
      const { viewer } = request;
      const { id, name, written } = drafts.get(idIn(request), viewer.holder);
      drafts.discard(id, viewer.holder);
      return reply.redirect(written ? syncPath(name) : NEW_FEED, 303);
    });
    for (const name of downloads) {
      scope.get(`${DRAFT}/${name}`, async (request, reply) => download(name, request, reply));
    }
    scope.post(`${DRAFT}/save`, async (request, reply) => {
      const { name } = parsed(nameForm, request.body);
      return acting(request, reply, stepOf(request, savePage), async (owner, id) => {
        if (files) return savedPath(await drafts.save(id, owner, name, request.viewer, request.signal));
        await drafts.rename(id, owner, name ?? '', request.signal);
        return draftPath(id, 'save');
      });
    });
    if (files) editRoutes(scope, files);
  });

  /** Shows the edits of a sync, and takes them back. */
  function editRoutes(scope: FastifyInstance, { takeBack, editsOf, hasFile }: NonNullable<typeof files>): void {
    scope.get(EDITS, async (request, reply) => {
      const { done } = parsed(editsQuery, request.query);
      return show(request, reply, await edits(request, { isSaved: done }), done && SAVED);
    });
    scope.post(EDITS, async (request, reply) => {
      const { at } = parsed(takeBackForm, request.body);
      const failed = (problem: Problem) => edits(request, { problem });
      return acting(request, reply, failed, async () => {
        await takeBack(syncIn(request), at, request.viewer);
        return savedPath(syncIn(request));
      });
    });

    async function edits(
      request: FastifyRequest,
      { isSaved = false, problem }: { isSaved?: boolean; problem?: Problem },
    ): Promise<PageContent> {
      const sync = syncIn(request);
      const { viewer } = request;
      const all = await editsOf(sync);
      const context = { viewer, timezone: timezone(), isSaved, ...(problem && { problem }) };
      return editsPage(sync, mayDo(viewer, 'operate') ? all : maskedIn(all), hasFile(sync), context);
    }
  }

  /**
   * Does what a form asks for, and leads to a page.
   * @param failed the page on which the form is, with the reason why that is not possible
   * @param act returns where it leads
   */
  async function acting(
    request: FastifyRequest,
    reply: FastifyReply,
    failed: (problem: Problem) => PageContent | Promise<PageContent>,
    act: (owner: string, draft: string) => Promise<string>,
  ): Promise<FastifyReply> {
    try {
      return reply.redirect(await act(request.viewer.holder, idIn(request)), 303);
    } catch (error) {
      const problem = explained(error);
      if (problem.status === 404) throw error;
      return show(request, reply.code(problem.status), await failed(problem));
    }
  }

  /** Returns a step of a draft with the reason why something is not possible. */
  function stepOf(request: FastifyRequest, page: (context: StepContext) => PageContent) {
    return (problem: Problem) => page({ ...contextOf(request), problem });
  }

  async function download(
    name: (typeof downloads)[number],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { draft, edits } = contextOf(request);
    const text = downloadOf(name, edits);
    if (!text) throw new CodedError('FF_HTTP_NOT_FOUND', 'This draft has no such file.');
    reply.header('content-disposition', `attachment; filename="${draft.name.replaceAll(/[^\w.-]/g, '_')}.yaml"`);
    return reply.type('text/plain; charset=utf-8').send(text);
  }

  function newFeed({ viewer }: FastifyRequest, failed?: Parameters<typeof newFeedPage>[2]): PageContent {
    return newFeedPage(drafts.list(viewer.holder), viewer, failed);
  }

  function newVersion(request: FastifyRequest, problem?: Problem): PageContent {
    const { source } = parsed(sourceQuery, request.query);
    return newVersionPage(syncIn(request), source, request.viewer, problem);
  }

  /** Viewers who see masked addresses do not get the mapping tests, which contain records. */
  function contextOf(request: FastifyRequest): StepContext {
    const { viewer } = request;
    const draft = drafts.get(idIn(request), viewer.holder);
    const isMasked = !mayDo(viewer, 'operate');
    const edits = draft.drafted ? drafts.edits(draft.id, viewer.holder) : [];
    const seen = isMasked ? edits.filter(({ path }) => !path.startsWith('tests')) : edits;
    return { draft: isMasked ? maskedDraft(draft) : draft, viewer, isMasked, edits: seen };
  }

  function show(
    { viewer, url }: FastifyRequest,
    reply: FastifyReply,
    content: PageContent,
    done?: string | false,
  ): FastifyReply {
    const context = { viewer, timezone: timezone(), path: url, now: Date.now(), ...(done && { done }) };
    return reply.type('text/html; charset=utf-8').send(layout(content, context));
  }
}

/** Where saving leads, and taking back. */
function savedPath(sync: string): string {
  return withQuery(syncPath(sync, 'edits'), { done: 'edit' });
}

function idIn({ params }: FastifyRequest): string {
  return (params as { draft?: string }).draft ?? '';
}

function syncIn(request: FastifyRequest): string {
  return parsed(pathParams(EDITS), request.params).sync ?? '';
}

/** Returns a coded error as a page shows it; others are not for the person. */
function explained(error: unknown): Problem {
  if (error instanceof CodedError) {
    const { code, message, remedy } = error;
    const { status } = httpProblem(error);
    return { status: status === 404 || status === 503 ? status : 422, code, message, remedy };
  }
  throw error;
}
