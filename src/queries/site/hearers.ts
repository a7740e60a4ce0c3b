import { hearersOf, recipientsOf } from '../../alerts/hearers.ts';
import type { App } from '../../app/app.ts';
import { withBroken } from '../../config/select.ts';
import type { AlertKind } from '../../config/types.ts';

/** Somebody who hears of a sync, and what became of the messages. Times are ISO instants. */
export interface HearerView {
  sync: string;
  is: 'webhook' | 'email' | 'owner';
  /** E-mail address; absent: a webhook. */
  to?: string;
  /** Alerts that are sent; absent: an owner, who gets digests. */
  on?: readonly AlertKind[];
  /** Of an owner: the language of the digests. */
  language?: string;
  /** Of an owner: the only sources of several that the digests are about. */
  sources?: readonly string[];
  sentAt?: string;
  /** When a test message was last sent. */
  testedAt?: string;
  failedAt?: string;
  failure?: string;
}

type Sending = Awaited<ReturnType<App['ledger']['alerts']['sendings']>>[number];

/** Lists who hears what of each sync. */
export async function hearersView({ config, ledger }: Pick<App, 'config' | 'ledger'>): Promise<HearerView[]> {
  const { alerts } = config;
  if (!alerts) return [];
  const sendings = await ledger.alerts.sendings();
  return withBroken(config).syncs.flatMap((sync) =>
    hearersOf(sync, alerts).flatMap((hearer) => {
      const { is } = hearer;
      // A test without a sync went to the recipients in feedferry.yaml, unless the sync has its own.
      const isOwn = is === 'owner' || (is === 'email' && sync.alerts && sync.alerts.email !== undefined);
      const hears =
        is === 'owner' ? { language: hearer.owner.language, sources: hearer.owner.sources } : { on: hearer.on };
      return recipientsOf(hearer).map(({ to, channel }): HearerView => {
        const about = sendings.filter((each) => {
          return each.channel === channel && (each.sync === sync.name || (each.sync === '' && !isOwn));
        });
        return { sync: sync.name, is, ...(is !== 'webhook' && { to }), ...hears, ...lastOf(about) };
      });
    }),
  );
}

/** What became of the last messages: one that failed counts until another one has arrived. */
function lastOf(about: readonly Sending[]): Pick<HearerView, 'sentAt' | 'testedAt' | 'failedAt' | 'failure'> {
  const last = (column: 'sent_at' | 'tested_at' | 'failed_at') =>
    Math.max(0, ...about.map((each) => each[column] ?? 0));
  const [sentAt, testedAt, failedAt] = [last('sent_at'), last('tested_at'), last('failed_at')];
  const failed = about.find((each) => each.failed_at !== null && each.failed_at === failedAt);
  const time = (at: number) => new Date(at).toISOString();
  return {
    ...(sentAt > 0 && { sentAt: time(sentAt) }),
    ...(testedAt > 0 && { testedAt: time(testedAt) }),
    ...(failed &&
      Math.max(sentAt, testedAt) <= failedAt && { failedAt: time(failedAt), failure: failed.failure ?? '' }),
  };
}
