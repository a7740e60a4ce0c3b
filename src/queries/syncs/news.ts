import type { App } from '../../app/app.ts';
import { withBroken } from '../../config/select.ts';
import type { NewsView } from '../views/overview.ts';
import { lastReadings } from './rejects.ts';

const DAY_MS = 86_400_000;

/**
 * Returns what is new since a time: changes in the CMS, plans to decide, and rejects.
 * @param since ISO instant; absent: this time yesterday
 */
export async function newsOf(since: string | undefined, { config, ledger }: Pick<App, 'config' | 'ledger'>) {
  const from = since === undefined ? Date.now() - DAY_MS : Date.parse(since);
  const names = withBroken(config).syncs.map(({ name }) => name);
  const [changes, plans, readings] = await Promise.all([
    ledger.runs.changedSince(from),
    waitingPlans(from, ledger),
    lastReadings(names, ledger),
  ]);
  const rejects = await Promise.all(
    readings
      .filter(({ counts, startedAt }) => counts.rejected > 0 && Date.parse(startedAt) >= from)
      .map(async ({ sync, run }) => ({ sync, run, count: await ledger.runs.countNewRejections({ sync, run }, from) })),
  );
  return {
    since: new Date(from).toISOString(),
    changes,
    plans,
    rejects: rejects.filter(({ count }) => count > 0),
  } satisfies NewsView;
}

async function waitingPlans(from: number, { plans, runs }: App['ledger']): Promise<NewsView['plans']> {
  const waiting = (await plans.heldPlans()).filter(({ decision }) => !decision);
  const held = await Promise.all(waiting.map(({ run }) => runs.get(run)));
  return held.filter(({ finishedAt = '' }) => Date.parse(finishedAt) >= from).map(({ sync, run }) => ({ sync, run }));
}
