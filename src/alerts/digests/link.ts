import { createHmac } from 'node:crypto';
import type { SyncConfig } from '../../config/types.ts';
import { type SecretStore, sharedSecret } from '../../core/access/shared-secret.ts';
import { isSameSecret, sha256 } from '../../core/hash.ts';
import { type FeedOwner, ownersOf } from './owners.ts';

const DAY_MS = 86_400_000;

/** The id of the secret that signs the links of a sync. Without it, none of them works any longer. */
export function linkSecretId(sync: string): string {
  return `links ${sync}`;
}

/** Returns the path of the page of a feed for one of its owners, which works until a time. */
export async function linkFor(
  sync: string,
  owner: FeedOwner,
  { now, secrets }: { now: number; secrets: SecretStore },
): Promise<{ path: string; until: number } | undefined> {
  const secret = await sharedSecret(linkSecretId(sync), secrets);
  if (secret === undefined) return undefined;
  const until = now + owner.linkDays * DAY_MS;
  const token = `${markOf(owner)}.${until.toString(36)}`;
  return { path: `/owners/${encodeURIComponent(sync)}/${token}.${signatureOf(sync, token, secret)}`, until };
}

/** Returns the owner whose link this is; undefined if it is forged, has expired or was revoked, or if the person no longer is an owner. */
export async function ownerOfLink(
  sync: SyncConfig,
  link: string,
  { now, secrets }: { now: number; secrets: Pick<SecretStore, 'find'> },
): Promise<FeedOwner | undefined> {
  const [, token = '', mark, until = '', signature = ''] = /^((\w+)\.([\da-z]+))\.([\w-]+)$/.exec(link) ?? [];
  const secret = await secrets.find(linkSecretId(sync.name));
  if (!secret || !isSameSecret(signature, signatureOf(sync.name, token, secret.mark))) return undefined;
  return Number.parseInt(until, 36) < now ? undefined : ownersOf(sync).find((owner) => markOf(owner) === mark);
}

/** Identifies an owner without the address, which does not belong in links. */
function markOf({ email }: FeedOwner): string {
  return sha256(email).slice(0, 12);
}

function signatureOf(sync: string, token: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([sync, token]))
    .digest('base64url');
}
