import type { Logger } from 'pino';
import type { SyncConfig } from '../../config/types.ts';
import { toCodedError } from '../../core/errors.ts';
import { describeDifferences } from '../../core/text/describe-differences.ts';
import { verifySyncs } from '../../sync/verify/verify-syncs.ts';
import type { App } from '../app.ts';

/** Wait after a failed verification, for example because the CMS was down. */
const AGAIN_MS = 900_000;

/**
 * Verifies each sync that has a `verify` interval when it is due. A sync that another process has verified is not due. Syncs that
 * have delivered nothing, or are running, are verified later. Errors are logged, never thrown.
 */
export async function verifyDue(
  { config, contextOf, ledger }: Pick<App, 'config' | 'contextOf' | 'ledger'>,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<void> {
  const watched = config.syncs.filter(({ verify }) => verify);
  if (watched.length === 0) return;
  const due: SyncConfig[] = [];
  try {
    const running = new Set((await ledger.runs.underWay()).map(({ sync }) => sync));
    const last = await ledger.verifications.verified();
    for (const sync of watched)
      if (!running.has(sync.name) && (await isDue(sync, last.get(sync.name)?.agoMs))) due.push(sync);
    const verified = await verifySyncs(due.map((sync) => contextOf(sync, { signal })));
    for (const { context, result } of verified) {
      const { sync, inSync, drift, certificate, error } = result;
      if (error) {
        await tryAgain(context.sync);
        log.warn({ sync, code: error.code }, `${sync}: could not be verified: ${error.message}`);
        continue;
      }
      const { proven, reason, counts } = certificate;
      const found = { sync, inSync, drift: drift.length, proven };
      if (drift.length > 0)
        log.warn(found, `${sync}: the CMS differs from what was delivered: ${describeDifferences(counts)}.`);
      else if (!proven) log.warn(found, `${sync}: could not be verified: ${reason}.`);
      else log.info(found, `${sync}: verified.`);
    }
  } catch (error) {
    await Promise.all(due.map(tryAgain)).catch(() => {});
    const { code, message } = toCodedError(error);
    if (!signal.aborted) log.warn({ code, err: error }, `Could not verify: ${message} It is tried again later.`);
  }

  async function tryAgain({ name, verify }: SyncConfig): Promise<void> {
    const { everyMs = 0 } = verify ?? {};
    await ledger.verifications.failVerification(name, Math.max(0, everyMs - AGAIN_MS));
  }

  async function isDue({ name, verify }: SyncConfig, agoMs: number | undefined): Promise<boolean> {
    return agoMs === undefined ? (await ledger.plans.countDelivered(name)) > 0 : agoMs >= (verify?.everyMs ?? 0);
  }
}
