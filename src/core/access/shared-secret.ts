import { randomBytes } from 'node:crypto';

/** Where secrets are kept that all processes share. */
export interface SecretStore {
  begin(secret: { idHash: string; mark: string; name: null }, lifetimeMs: number): Promise<void>;
  find(id: string): Promise<{ mark: string } | undefined>;
}

const LIFETIME_MS = 10 * 365 * 86_400_000;

/** Returns the secret with an id, and makes one if there is none. */
export async function sharedSecret(id: string, store: SecretStore): Promise<string | undefined> {
  const found = await store.find(id);
  if (found) return found.mark;
  await store.begin({ idHash: id, mark: randomBytes(32).toString('base64url'), name: null }, LIFETIME_MS);
  // Another process may have been first.
  return (await store.find(id))?.mark;
}
