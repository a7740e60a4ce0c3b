import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { attempt } from './attempt.ts';
import { missingFiles, observe } from './observe.ts';
import { perform } from './perform.ts';
import { actionFor } from './protocol.ts';
import { uploadFiles } from './upload-files.ts';

/**
 * Brings one claimed record to the CMS: uploads its files, observes what the CMS has of it, decides by the table of protocol.ts,
 * and sends one POST, PATCH or DELETE at most. Does not throw: errors are results, too.
 */
export async function deliverRecord(record: ClaimedRecord, context: DeliveryContext): Promise<DeliveryResult> {
  const { sent, ...result } = await attempt(record, context, async (progress) => {
    // Before the observation: an upload may take minutes.
    const files = await uploadFiles(record, await missingFiles(record, context), context);
    progress.uploads = files.uploads;
    let sees = await observe(record, files, context);
    for (;;) {
      const { record: now } = progress;
      const action = actionFor(now.goal.is, now.knows, sees.is);
      const done = await perform(action, sees, { progress, files, context });
      if ('is' in done) return done;
      sees = done.again ?? (await observe(progress.record, files, context));
    }
  });
  if (!sent) return result;
  const { method, attributes } = sent;
  return { ...result, sent: context.keepsBefore ? sent : { method, attributes } };
}
