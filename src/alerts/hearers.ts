import type { AlertKind, AlertsConfig, SyncConfig } from '../config/types.ts';
import { type FeedOwner, ownersOf } from './digests/owners.ts';

/** A sync of which somebody hears. If its file has mistakes, only the name may be known. */
export type HeardSync = Pick<SyncConfig, 'name'> & Partial<SyncConfig>;

/** Who hears of a sync: a webhook, people by e-mail, or an owner of the feed. */
export type Hearer = { /** The name in the ledger. */ channel: string } & (
  | { is: 'webhook'; on: readonly AlertKind[] }
  | { is: 'email'; on: readonly AlertKind[]; to: readonly string[] }
  | { is: 'owner'; owner: FeedOwner; to: readonly [string]; replyTo: readonly string[] }
);

/** Who gets the messages for a hearer, and under which names the ledger notes what became of them. */
export function recipientsOf(hearer: Hearer): Array<{ to: string; channel: string }> {
  const { is, channel } = hearer;
  if (is === 'webhook') return [{ to: 'webhook', channel }];
  return hearer.to.map((to) => ({ to, channel: is === 'email' ? `${channel} ${to}` : channel }));
}

/** Lists who hears of a sync. */
export function hearersOf({ alerts, ...sync }: HeardSync, config: AlertsConfig): Hearer[] {
  const hearers: Hearer[] = [];
  const replyTo = (alerts === false ? undefined : alerts?.email?.to) ?? config.email?.to ?? [];
  if (alerts !== false) {
    const on = alerts?.on ?? config.on;
    if (config.webhook) hearers.push({ is: 'webhook', channel: 'webhook', on });
    if (replyTo.length > 0) hearers.push({ is: 'email', channel: 'email', on, to: replyTo });
  }
  return [
    ...hearers,
    ...ownersOf(sync).map((owner): Hearer => {
      return { is: 'owner', channel: `owner ${owner.email}`, owner, to: [owner.email], replyTo };
    }),
  ];
}
