import { createCmsClient, type TokenHeader } from '../../cms/client.ts';
import type { Config } from '../../config/types.ts';
import { listsOf } from './cms-list.ts';

/** How releases of the CMS are known to take the token. */
const KNOWN: readonly TokenHeader[] = ['bearer', { header: 'admin_api_key' }];

/**
 * Returns how `auth` of a target is written with which the CMS accepts the token, after it has refused it as it is sent now;
 * undefined if it accepts none. Reads one page per way, without the gate: that a token would be accepted ends no stop.
 */
export async function acceptedAuth({ target, syncs }: Config, signal: AbortSignal): Promise<string | undefined> {
  const current = written(target.auth ?? 'bearer');
  for (const auth of KNOWN.filter((other) => written(other) !== current)) {
    const cms = createCmsClient({ ...target, auth, concurrency: 1, retries: 0 });
    try {
      await listsOf(syncs, cms, signal)[0]?.page({ limit: 1 });
      return written(auth);
    } catch {
      // Not this one either, or the CMS cannot be asked now.
    } finally {
      await cms.close();
    }
  }
  return undefined;
}

function written(auth: TokenHeader): string {
  return auth === 'bearer' ? 'bearer' : `{ header: ${auth.header} }`;
}
