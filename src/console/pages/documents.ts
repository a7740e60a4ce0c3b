import { z } from 'zod';
import type { Document } from '../../documents/document.ts';
import { decidedDocument, heldPlanDocument } from '../../documents/held-plan.ts';
import { purgeDocument } from '../../documents/purge.ts';
import { questionsDocument } from '../../documents/questions.ts';
import { allRejectsDocument, rejectsDocument } from '../../documents/rejects.ts';
import { hearersDocument } from '../../documents/site/hearers.ts';
import { undoDocument } from '../../documents/undo.ts';
import { verificationDocument } from '../../documents/verification.ts';
import type { PathParams } from '../access/path-params.ts';
import { pageOfDocument } from './as-html.ts';
import { type ConsolePage, consolePage, optionalText } from './page.ts';

/** Defines a page that shows a document. */
function documentPage<Path extends string, Query extends z.ZodObject>(
  path: Path,
  query: Query,
  read: (
    input: PathParams<Path> & z.output<Query>,
    ...sources: Parameters<ConsolePage['show']> extends [unknown, ...infer Rest] ? Rest : never
  ) => Promise<Document>,
): ConsolePage {
  return consolePage({
    path,
    query,
    show: async (input, sources, context) => pageOfDocument(await read(input, sources, context), context),
  });
}

const nothing = z.object({});
const SHORT = 25;
const LONG = 100;

/** The pages whose content a command can print, too. */
export const documentPages: readonly ConsolePage[] = [
  documentPage('/alerts', nothing, async (_, { queries }) => hearersDocument(await queries.hearers())),
  documentPage('/rejects', nothing, async (_, { queries }) => allRejectsDocument(await queries.allRejects())),
  documentPage(
    '/syncs/:sync/rejects',
    z.object({ run: optionalText }),
    async ({ sync, run }, { queries }, { viewer }) => {
      const isPast = run !== undefined;
      const view = await queries.rejects(sync, { run });
      const letter = isPast ? undefined : await queries.letter(sync);
      const signed = letter && { ...letter, text: `${letter.text}\n\n${viewer.name}` };
      return rejectsDocument(sync, view, { isPast, letter: signed });
    },
  ),
  documentPage('/syncs/:sync/questions', nothing, async ({ sync }, { queries }) =>
    questionsDocument(await queries.questions(sync)),
  ),
  documentPage('/syncs/:sync/verification', z.object({ after: optionalText }), async ({ sync, after }, { queries }) =>
    verificationDocument(await queries.verification(sync, { after, limit: SHORT })),
  ),
  documentPage('/syncs/:sync/purge', z.object({ after: optionalText }), async ({ sync, after }, { queries }) =>
    purgeDocument(await queries.purgePreview(sync, { after, limit: SHORT })),
  ),
  documentPage('/runs/:run/undo', nothing, async ({ run }, { queries, signal }) =>
    undoDocument(await queries.undoPreview(run, signal)),
  ),
  documentPage('/runs/:run/plan', z.object({ items: optionalText }), async ({ run, items: after }, { queries }) => {
    const detail = await queries.run(run);
    // The links in alerts still lead to this page after the decision.
    if (detail.heldPlan === undefined) return decidedDocument(detail);
    const paging = { after, limit: LONG };
    const [plan, page] = await Promise.all([queries.heldPlan(run), queries.plannedItems(run, paging)]);
    return heldPlanDocument(plan, page, { isFirst: after === undefined });
  }),
];
