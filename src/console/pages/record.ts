import { z } from 'zod';
import { CodedError } from '../../core/errors.ts';
import { recordDocument, unknownDocument } from '../../documents/record.ts';
import type { Answered } from '../../documents/record-source.ts';
import { pageOfDocument } from './as-html.ts';
import { consolePage } from './page.ts';

/** What the record is compared with, besides the ledger. Reading it takes a while, so the viewer asks for it. */
const compared = z.enum(['feed', 'cms', 'both']);

/** The story of a record: what the feed, the ledger and the CMS have of it, and its history. */
export const recordStoryPage = consolePage({
  path: '/syncs/:sync/record',
  query: z.object({ key: z.string().min(1), with: compared.optional() }),
  async show({ sync, key, with: other }, { queries, signal }, context) {
    const [detail, feed, live] = await Promise.all([
      unlessUnknown(queries.record(sync, key)),
      other === undefined || other === 'cms' ? undefined : asked(queries.recordSource(sync, key, signal)),
      other === undefined || other === 'feed' ? undefined : asked(queries.recordLive(sync, key, signal)),
    ]);
    const document = detail
      ? recordDocument(detail, { feed, live })
      : unknownDocument(await queries.recordRejection(sync, key), feed);
    return pageOfDocument(document, context);
  },
});

/** Lists of rejected and skipped records also have links to this page. */
async function unlessUnknown<View>(view: Promise<View>): Promise<View | undefined> {
  try {
    return await view;
  } catch (error) {
    if (error instanceof CodedError && error.code === 'FF_RECORD_UNKNOWN') return undefined;
    throw error;
  }
}

/** The record is also shown if the feed or the CMS cannot be asked, for example because the sync has no file any longer. */
async function asked<View>(view: Promise<View>): Promise<Answered<View>> {
  try {
    return await view;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const { code, message, remedy } = error;
    return { problem: { code, message, remedy } };
  }
}
