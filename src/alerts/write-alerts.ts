import type { RunReport } from '../core/run.ts';
import { problemIds } from '../core/text/rejection-name.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SyncHealth } from '../ledger/runs/sync-health.ts';
import { causesIn, NO_RUN } from './causes.ts';
import type { Send } from './channel.ts';
import type { HeardSync } from './hearers.ts';
import { composeMessage, type DueAlerts } from './message.ts';
import { FIRST_PROBLEMS, type PlannedDeletes } from './problems.ts';
import type { Writer, WriterContext, Written } from './writer.ts';

/** Writes the alerts about a sync for those who run the site. */
export function alertWriter(
  sync: HeardSync,
  health: SyncHealth,
  { channel, send }: { channel: string; send: Send },
  { config, broken = [], timezone, consoleUrl, ledger }: WriterContext,
): Writer {
  return { everyMs: config.everyMs, note, write };

  async function note(): Promise<boolean> {
    const watched = { ...config, ...sync.alerts, schedule: sync.schedule };
    const isBroken = broken.some(({ name }) => name === sync.name);
    const causes = causesIn(health, { ...watched, isBroken });
    const isKnown = await hasNoNews(causes.get('partial'));
    await ledger.alerts.note(sync.name, channel, causes, new Set(isKnown ? ['partial'] : []));
    return true;
  }

  /** Whether a partial run has only problems that were reported before. A feed that was not read completely is always news. */
  async function hasNoNews(run: string | undefined): Promise<boolean> {
    const last = run === undefined ? undefined : await ledger.alerts.lastNoted(sync.name, channel, 'partial');
    if (run === undefined || !last || (last.run === run && !last.isPending)) return false;
    const report = await ledger.runs.report(run);
    const ids = problemIds(report);
    const known = ids.filter((id) => last.reported.has(id));
    await ledger.alerts.keepReported(sync.name, channel, 'partial', known);
    return report.complete && ids.length > 0 && known.length === ids.length;
  }

  async function write(alerts: DueAlerts): Promise<Written> {
    const [{ kind, isOver, run: cause }] = alerts;
    const run = kind === 'stale' || kind === 'drift' || isOver ? health.latest?.run : cause || undefined;
    const isMistake = cause === NO_RUN && kind === 'failed';
    const mistakes = isMistake ? broken.find(({ name }) => name === sync.name)?.problems : undefined;
    const report = run === undefined ? undefined : await ledger.runs.report(run);
    const deletes = kind === 'held' && !isOver && report ? await firstDeletes(report, ledger) : undefined;
    const about = { timezone, consoleUrl, mistakes, resource: sync.resource, deletes };
    const message = composeMessage(alerts, report, health, about);
    return {
      ...{ title: message.title, run, reported: report && kind === 'partial' ? problemIds(report) : [] },
      send: (signal) => send(message, signal),
    };
  }
}

/** The items that a held plan would delete: how many, and the first of them. */
async function firstDeletes(
  { run, sync }: RunReport,
  { plans }: Pick<Ledger, 'plans'>,
): Promise<PlannedDeletes | undefined> {
  const { delete: total } = await plans.countByEffect(run);
  return total === 0 ? undefined : { total, first: await plans.changePage(run, sync, 'delete', '', FIRST_PROBLEMS) };
}
