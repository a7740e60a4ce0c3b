import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { GivenFeed } from '../../app/drafts/browser-source.ts';
import type { FeedDraft, FeedDrafts } from '../../app/drafts/feed-drafts.ts';
import type { FileEdits } from '../../app/drafts/file-edits.ts';
import { CodedError } from '../../core/errors.ts';
import { maskedIn } from '../../core/text/masked.ts';
import { configureHook } from '../access/guard.ts';
import { pathParams } from '../access/path-params.ts';
import { mayDo } from '../access/viewer.ts';
import { parsed } from '../api/endpoint.ts';
import { layout } from '../pages/layout.ts';
import type { PageContent } from '../pages/page.ts';
import { httpProblem, type Problem } from '../problem.ts';
import { type CorrectionForm, correctionForm, correctionOf } from './correction-form.ts';
import { downloadOf, downloads, isUpload, mayBeSaved, savedPage } from './draft-files.ts';
import { draftPath } from './draft-forms.ts';
import { type DraftPageContext, draftPage, lineAnchor } from './draft-page.ts';
import { keyFields } from './key-fields.ts';
import { maskedDraft } from './masked-draft.ts';
import { NEW_FEED, newFeedPage } from './new-feed.ts';
import { uploadRoute } from './upload-route.ts';

const DRAFT = '/feeds/:draft';
const SYNC_EDIT = '/syncs/:sync/edit';
const TAKE_BACK = '/syncs/:sync/take-back';
const unplanned = 'What this change would do to the site was not planned yet.';
const planFirst = 'Plan against the site, then save.';
const addressForm = z.object({ address: z.string().max(4000) });
const renameForm = z.object({ from: z.string().min(1).max(500), to: z.string().min(1).max(500) });
const openForm = z.object({ source: z.string().max(200).optional() });
const takeBackForm = z.object({ at: z.iso.datetime() });
const lineForm = z.object({ line: z.string().min(1).max(200) });

/** What the pages of drafts work with. */
interface FeedParts {
  drafts: FeedDrafts;
  /** Absent: drafts cannot be saved. */
  files: FileEdits | undefined;
  timezone: () => string;
}

/**
 * Serves the pages on which people with the permission draft syncs from feeds. They work without scripts: each form is a POST that
 * leads to a page, or shows the page with the reason why it was refused.
 */
export function feedRoutes(server: FastifyInstance, { drafts, files, timezone }: FeedParts): void {
  server.register(async (scope) => {
    scope.addHook('onRequest', configureHook);
    scope.addHook('onClose', async () => drafts.close());

    scope.get(NEW_FEED, async (request, reply) => show(request, reply, newFeed(request)));
    scope.post(NEW_FEED, async (request, reply) => {
      const { address } = parsed(addressForm, request.body);
      return open({ address, key: parsed(keyFields, request.body) }, request, reply);
    });
    await scope.register(async (uploads) => uploadRoute(uploads, open));

    scope.get(DRAFT, async (request, reply) => show(request, reply, draftPage(pageOf(draftIn(request), request))));
    scope.post(DRAFT, async (request, reply) => {
      const form = parsed(correctionForm, request.body);
      return changing(request, reply, form.line, (id, owner) => {
        return drafts.correct(id, owner, correctionOf(form as CorrectionForm), request.signal);
      });
    });
    scope.post(`${DRAFT}/take-back`, async (request, reply) => {
      const { line } = parsed(lineForm, request.body);
      return changing(request, reply, line, (id, owner) => drafts.takeBack(id, owner, line, request.signal));
    });
    scope.post(`${DRAFT}/rename`, async (request, reply) => {
      const renamed = parsed(renameForm, request.body);
      return changing(request, reply, 'key', (id, owner) => drafts.rename(id, owner, renamed, request.signal));
    });
    scope.post(SYNC_EDIT, async (request, reply) => {
      const { sync = '' } = parsed(pathParams(SYNC_EDIT), request.params);
      const { source } = parsed(openForm, request.body);
      const { id } = await drafts.openSync(sync, source, request.viewer.holder, request.signal);
      return reply.redirect(draftPath(id), 303);
    });
    if (files) saveRoutes(scope, files);
    scope.post(`${DRAFT}/plan`, async (request, reply) => {
      const plan = await drafts.plan(idIn(request), request.viewer.holder, request.signal);
      const context = pageOf(draftIn(request), request);
      return show(request, reply, draftPage({ ...context, plan: context.isMasked ? maskedIn(plan) : plan }));
    });
    scope.post(`${DRAFT}/discard`, async (request, reply) => {
      drafts.discard(idIn(request), request.viewer.holder);
      return reply.redirect(NEW_FEED, 303);
    });
    for (const name of downloads) {
      scope.get(`${DRAFT}/${name}`, async (request, reply) => download(name, request, reply));
    }
  });

  /** Saves drafts in the config folder, and takes such edits back. */
  function saveRoutes(scope: FastifyInstance, { save, takeBack }: FileEdits): void {
    scope.post(`${DRAFT}/save`, async (request, reply) => {
      const context = pageOf(draftIn(request), request);
      const { draft, edits } = context;
      if (!mayBeSaved(draft)) throw new CodedError('FF_EDIT_IMPOSSIBLE', unplanned, { remedy: planFirst });
      let takeFeedBack = () => {};
      try {
        takeFeedBack = drafts.keepFeed(draft.id, request.viewer.holder);
        await save(draft.review.name, edits, request.viewer);
      } catch (error) {
        takeFeedBack();
        const problem = explained(error);
        return show(request, reply.code(problem.status), draftPage({ ...context, problem }));
      }
      drafts.discard(draft.id, request.viewer.holder);
      return show(request, reply, savedPage(draft.review.name, edits, isUpload(draft) ? draft.location : undefined));
    });
    scope.post(TAKE_BACK, async (request, reply) => {
      const { sync = '' } = parsed(pathParams(TAKE_BACK), request.params);
      const { at } = parsed(takeBackForm, request.body);
      const edits = await takeBack(sync, at, request.viewer);
      return show(request, reply, savedPage(sync, edits));
    });
  }

  /** Opens a feed, and leads to its draft. A feed that cannot be opened is explained on the page where it was entered. */
  async function open(given: GivenFeed, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    try {
      const { id } = await drafts.open(given, request.viewer.holder, request.signal);
      return reply.redirect(draftPath(id), 303);
    } catch (error) {
      const problem = explained(error);
      // A password is not shown again.
      const address = 'address' in given && !given.address.includes('@') ? given.address : undefined;
      return show(
        request,
        reply.code(problem.status),
        newFeed(request, { problem, key: 'key' in given ? given.key : undefined, ...(address && { address }) }),
      );
    }
  }

  /** Changes a draft, and leads to the line. A change that is not possible is explained on the page of the draft. */
  async function changing(
    request: FastifyRequest,
    reply: FastifyReply,
    line: string,
    change: (id: string, owner: string) => Promise<void>,
  ): Promise<FastifyReply> {
    const id = idIn(request);
    try {
      await change(id, request.viewer.holder);
      return reply.redirect(lineAnchor(id, line), 303);
    } catch (error) {
      const problem = explained(error);
      if (problem.status === 404) throw error;
      return show(request, reply.code(problem.status), draftPage({ ...pageOf(draftIn(request), request), problem }));
    }
  }

  async function download(
    name: (typeof downloads)[number],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { draft, edits } = pageOf(draftIn(request), request);
    const text = downloadOf(name, edits);
    if (!text) throw new CodedError('FF_HTTP_NOT_FOUND', 'This draft has no such file.');
    const file = name === 'files.patch' ? `${draft.review.name}.patch` : `${draft.review.name}.yaml`;
    reply.header('content-disposition', `attachment; filename="${file.replaceAll(/[^\w.-]/g, '_')}"`);
    return reply.type('text/plain; charset=utf-8').send(text);
  }

  function newFeed(request: FastifyRequest, failed?: Parameters<typeof newFeedPage>[2]): PageContent {
    return newFeedPage(
      { drafts: drafts.list(request.viewer.holder), variables: drafts.variables },
      request.viewer,
      failed,
    );
  }

  function draftIn(request: FastifyRequest): FeedDraft {
    return drafts.get(idIn(request), request.viewer.holder);
  }

  /** Viewers who see masked addresses do not get the mapping tests, which contain records. */
  function pageOf(draft: FeedDraft, { viewer }: FastifyRequest): DraftPageContext {
    const isMasked = !mayDo(viewer, 'operate');
    const edits = draft.review.drafted ? drafts.edits(draft.id, viewer.holder) : [];
    const seen = isMasked ? edits.filter(({ path }) => !path.startsWith('tests')) : edits;
    return { draft: isMasked ? maskedDraft(draft) : draft, viewer, isMasked, edits: seen };
  }

  function show(request: FastifyRequest, reply: FastifyReply, content: PageContent): FastifyReply {
    const { viewer, url } = request;
    // A page of a POST cannot be loaded again at its address.
    const path = request.method === 'GET' ? url : '/';
    const context = { viewer, timezone: timezone(), path, now: Date.now() };
    return reply.type('text/html; charset=utf-8').send(layout(content, context));
  }
}

function idIn(request: FastifyRequest): string {
  return parsed(pathParams(DRAFT), request.params).draft ?? '';
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
