import { CmsError } from '../../cms/errors.ts';
import { type ClaimedRecord, refusedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { attempt, type Progress } from './attempt.ts';
import { leaveOut } from './leave-out.ts';
import { missingFiles, observe } from './observe.ts';
import { perform } from './perform.ts';
import { actionFor } from './protocol.ts';
import { type FilePayload, uploadFiles } from './upload-files.ts';

/**
 * Brings one claimed record to the CMS: uploads its files, observes what the CMS has of it, decides by the table of protocol.ts,
 * and sends one POST, PATCH or DELETE at most; if the CMS refuses the item with its files, another one without them. Does not throw:
 * errors are results, too.
 */
export async function deliverRecord(record: ClaimedRecord, context: DeliveryContext): Promise<DeliveryResult> {
  const { sent, ...result } = await attempt(record, context, async (progress) => {
    // Before the observation: an upload may take minutes.
    let files = await uploadFiles(record, await missingFiles(record, context), context);
    progress.uploads = files.uploads;
    let sees = await observe(record, files, context);
    for (;;) {
      const { record: now } = progress;
      const action = actionFor(now.goal.is, now.knows, sees.is);
      const done = await perform(action, sees, { progress, files, context }).catch(async (error: unknown) => {
        const refused = filesOfRefusal(error, progress, files, context);
        if (!refused) throw error;
        files = await leaveOut(refused.attributes, refused, { record: now, files, context });
        if ('item' in now) return { again: sees };
        progress.record = refusedRecord(now, context.runtime.monotonic());
        return { again: undefined };
      });
      if ('is' in done) return done;
      sees = done.again ?? (await observe(progress.record, files, context));
    }
  });
  if (!sent) return result;
  const { method, attributes } = sent;
  return { ...result, sent: context.keepsBefore ? sent : { method, attributes } };
}

/** The files with which the CMS has refused an item, if it may take it without them. */
function filesOfRefusal(
  error: unknown,
  progress: Progress,
  { payload }: FilePayload,
  { sync }: Pick<DeliveryContext, 'sync'>,
): { attributes: string[]; refused: CmsError } | undefined {
  const { sent, isAnswered } = progress;
  const isRefusal = error instanceof CmsError && error.kind === 'permanent' && !error.mayBeApplied && !isAnswered;
  const attributes = Object.keys(payload).filter((attribute) => sent?.attributes.includes(attribute));
  if (!isRefusal || sync.onAttachmentError === 'hold' || attributes.length === 0) return undefined;
  progress.isRepeated = true;
  const named = attributes.filter((attribute) => error.errors.some(({ detail }) => detail?.includes(attribute)));
  return { attributes: named.length > 0 ? named : attributes, refused: error };
}
