import { z } from 'zod';
import { linkSecretId } from '../../alerts/digests/link.ts';
import { syncNamed, withBroken } from '../../config/select.ts';
import { CodedError } from '../../core/errors.ts';
import { name, nothing, ofItself, ofSite, ofSync } from './action.ts';

/** What can be done about those who hear of syncs. */
export const actionsOfAlerts = {
  testAlerts: ofSite({
    path: '/alerts/test',
    role: 'approve',
    command: 'alerts',
    summary: 'Send a test message to each recipient of alerts',
    done: 'Test messages were sent. If one failed, the table says why.',
    input: z.strictObject({
      sync: name
        .describe('also to the recipients and owners that only this sync has (default: to those in feedferry.yaml)')
        .optional(),
    }),
    response: z.object({
      tested: z.array(
        z.object({
          to: z.string().describe('the recipient of an e-mail, or `webhook`'),
          isSent: z.boolean(),
          answer: z.string().describe('what the server said, or why the message was not sent and what to do'),
        }),
      ),
    }),
    leadsTo: '/alerts',
    /** @throws CodedError FF_SYNC_UNKNOWN, FF_NOTHING_TO_DO if nobody hears of it */
    async act({ sync }, { app: { config, alerts } }) {
      const tested = await alerts.test(sync === undefined ? undefined : syncNamed(sync, withBroken(config)));
      if (tested.length > 0) return { tested };
      const message = `There is nobody to write to${sync === undefined ? '' : ` about "${sync}"`}.`;
      const remedy = 'Write `alerts` in feedferry.yaml, with a webhook or a mail server: `feedferry help alerts`';
      throw new CodedError('FF_NOTHING_TO_DO', message, { remedy });
    },
  }),
  revokeLinks: ofSync({
    path: '/syncs/:sync/revoke-links',
    role: 'approve',
    command: 'alerts',
    summary: 'Revoke the links with which owners open the page of their feed',
    done: 'The links no longer work. The next digests have new ones.',
    input: nothing,
    response: ofItself,
    leadsTo: '/alerts',
    /** The next digest has new links. @throws CodedError FF_SYNC_UNKNOWN */
    async act({ sync }, { app: { config, ledger } }) {
      await ledger.sessions.end(linkSecretId(syncNamed(sync, withBroken(config)).name));
      return { sync };
    },
  }),
};
