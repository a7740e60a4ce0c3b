import { hearersOf } from '../../alerts/hearers.ts';
import type { App } from '../../app/app.ts';
import { withBroken } from '../../config/select.ts';
import type { AlertKind } from '../../config/types.ts';

/** Somebody who hears of a sync, and what became of the messages. Times are ISO instants. */
export interface HearerView {
  sync: string;
  is: 'webhook' | 'email' | 'owner';
  /** E-mail addresses; empty for a webhook. */
  to: readonly string[];
  /** Alerts that are sent; absent: an owner, who gets digests. */
  on?: readonly AlertKind[];
  /** Of an owner: the language of the digests. */
  language?: string;
  /** Of an owner: the only sources of several that the digests are about. */
  sources?: readonly string[];
  sentAt?: string;
  failedAt?: string;
  failure?: string;
}

/** Lists who hears what of each sync. */
export async function hearersView({ config, ledger }: Pick<App, 'config' | 'ledger'>): Promise<HearerView[]> {
  const { alerts } = config;
  if (!alerts) return [];
  const sendings = await ledger.alerts.sendings();
  return withBroken(config).syncs.flatMap((sync) =>
    hearersOf(sync, alerts).map((hearer): HearerView => {
      const { is, channel } = hearer;
      // A test without a sync went to the recipients in feedferry.yaml, unless the sync has its own.
      const isOwn = is === 'owner' || (is === 'email' && sync.alerts && sync.alerts.email !== undefined);
      const about = sendings.filter((each) => {
        return each.channel === channel && (each.sync === sync.name || (each.sync === '' && !isOwn));
      });
      const sentAt = latest(about.map((each) => each.sent_at));
      const failedAt = latest(about.map((each) => each.failed_at));
      const failed = about.find((each) => each.failed_at !== null && each.failed_at === failedAt);
      const isFailing = failed !== undefined && (sentAt ?? 0) <= (failedAt ?? 0);
      return {
        ...{ sync: sync.name, is },
        to: is === 'webhook' ? [] : hearer.to,
        ...(is === 'owner' ? { language: hearer.owner.language, sources: hearer.owner.sources } : { on: hearer.on }),
        ...(sentAt && { sentAt: new Date(sentAt).toISOString() }),
        ...(isFailing && { failedAt: new Date(failedAt ?? 0).toISOString(), failure: failed.failure ?? '' }),
      };
    }),
  );
}

function latest(times: ReadonlyArray<number | null>): number | undefined {
  return times.reduce<number | undefined>(
    (last, time) => (time !== null && time > (last ?? 0) ? time : last),
    undefined,
  );
}
