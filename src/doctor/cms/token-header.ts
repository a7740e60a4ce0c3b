import { createCmsClient, type TokenHeader } from '../../cms/client.ts';
import type { Config } from '../../config/types.ts';
import { listsOf } from './cms-list.ts';

/** The headers in which known releases of the CMS accept the token. */
const KNOWN: readonly TokenHeader[] = ['bearer', { header: 'admin_api_key' }];

/**
 * Finds the `target.auth` with which the CMS accepts the token, after the CMS has refused the configured one. Returns undefined
 * if the CMS accepts none. Reads one page per attempt, and bypasses the gate, so that a success does not end a stop.
 */
export async function acceptedAuth({ target, syncs }: Config, signal: AbortSignal): Promise<string | undefined> {
  const current = written(target.auth ?? 'bearer');
  for (const auth of KNOWN.filter((other) => written(other) !== current)) {
    const cms = createCmsClient({ ...target, auth, concurrency: 1, retries: 0 });
    try {
      await listsOf(syncs, cms, signal)[0]?.page({ limit: 1 });
      return written(auth);
    } catch {
      // The CMS refuses this header, too, or does not respond.
    } finally {
      await cms.close();
    }
  }
  return undefined;
}

function written(auth: TokenHeader): string {
  return auth === 'bearer' ? 'bearer' : `{ header: ${auth.header} }`;
}
