import { csvLine } from '../../alerts/digests/csv-line.ts';
import type { App } from '../../app/app.ts';
import { CodedError, errorTable } from '../../core/errors.ts';
import { toText } from '../../core/record.ts';
import { namesByReason } from '../../core/text/record-title.ts';
import { rejectionName } from '../../core/text/rejection-name.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import { toAcknowledged } from '../answers/problem.ts';
import { withTitles } from '../answers/rejected-title.ts';
import type { RejectGroupView, RejectsView } from '../views/sync.ts';
import { hasCounted } from './sync-states.ts';

/** Number of rejections that are shown for each code, unless more are asked for. */
const SHOWN = 20;
/** Number of rejections of a run in which examples are looked for. If a code is rarer, only its first rejection is shown. */
const LOOKED_AT = 2_000;

/** Number of recent runs of each sync in which its last reading is looked for at first. */
const RUNS = 5;

/**
 * Returns a run of a sync by its id, or else the last one that has read records.
 * @throws CodedError FF_RUN_UNKNOWN
 */
export async function readingOf(sync: string, run: string | undefined, { runs }: Ledger): Promise<PastRun | undefined> {
  if (run === undefined) return runs.lastReading(sync);
  const past = await runs.find(run);
  if (past?.sync === sync) return past;
  const other = past ? `; it is a run of "${past.sync}"` : '';
  throw new CodedError('FF_RUN_UNKNOWN', `"${sync}" has no run "${run}"${other}`);
}

/** Returns the last reading of each of these syncs. Most are among its recent runs, which are read for all syncs at once. */
export async function lastReadings(syncs: readonly string[], { runs }: Pick<Ledger, 'runs'>): Promise<PastRun[]> {
  const recent = await runs.recent(syncs, RUNS);
  const found = await Promise.all(
    [...recent].map(
      ([sync, ofSync]) => ofSync.find(hasCounted) ?? (ofSync.length < RUNS ? [] : runs.lastReading(sync)),
    ),
  );
  return found.flatMap((reading) => reading ?? []);
}

/**
 * Says which records a reading has found cancelled, private or deleted in the feed and still on the site, by reason; without those
 * that a person has acknowledged.
 */
export async function describeStillShown(
  sync: string,
  reading: Pick<PastRun, 'run' | 'counts'> | undefined,
  { runs, acknowledgements }: Pick<Ledger, 'runs' | 'acknowledgements'>,
): Promise<string[]> {
  if (!reading || reading.counts.rejected === 0) return [];
  const codes = await runs.countRejections(reading.run);
  if (!codes.some(({ code }) => code === 'FF_RECORD_WITHDRAWN')) return [];
  const known = await acknowledgements.acknowledged(sync, { reading: reading.run });
  const isKnown = (name: string) => known.some(({ kind, key }) => kind === 'rejected' && key === name);
  const { rejections } = await runs.report(reading.run);
  const shown = rejections.flatMap(({ code, key = '', title, reason }) => {
    return code === 'FF_RECORD_WITHDRAWN' && !isKnown(key) ? [{ key, reason, title }] : [];
  });
  return namesByReason(shown);
}

/** The rejections of the last reading of each sync. */
export interface AllRejectsView {
  syncs: Array<{
    sync: string;
    run: string;
    startedAt: string;
    read: number;
    total: number;
    reasons: Array<{ code: string; cause: string; total: number }>;
  }>;
}

/** Returns how many records the last reading of each sync has rejected, by reason; syncs without rejections are absent. */
export async function allRejectsOf(syncs: ReadonlyArray<{ name: string }>, { runs }: Ledger): Promise<AllRejectsView> {
  const names = syncs.map(({ name }) => name);
  const readings = await lastReadings(names, { runs });
  return {
    syncs: await Promise.all(
      readings
        .filter(({ counts }) => counts.rejected > 0)
        .map(async ({ run, sync, startedAt, counts }) => {
          const groups = await runs.countRejections(run);
          const reasons = groups.map(({ code, total }) => ({ code, cause: errorTable[code].cause, total }));
          return { sync, run, startedAt, read: counts.read, total: counts.rejected, reasons };
        }),
    ),
  };
}

/**
 * Returns the rejections of a reading of a sync, grouped by code.
 * @param last undefined if no run has read the feed
 * @param limit how many of each code are listed at most
 */
export async function rejectsOf(
  sync: string,
  last: PastRun | undefined,
  { config, ledger }: Pick<App, 'config' | 'ledger'>,
  limit = SHOWN,
): Promise<RejectsView> {
  if (!last) return { run: null, read: 0, total: 0, groups: [] };
  const { run, startedAt, counts } = last;
  const summary = { run, startedAt, read: counts.read, ...(counts.rejected > 0 && { rejected: counts.rejected }) };
  if (counts.rejected === 0) return { ...summary, total: 0, groups: [] };
  const { runs, acknowledgements } = ledger;
  const configured = config.syncs.find(({ name }) => name === sync);
  const [codes, early, known] = await Promise.all([
    runs.countRejections(run),
    runs.firstRejections(run, Math.max(LOOKED_AT, limit)),
    acknowledgements.acknowledged(sync, { reading: run }),
  ]);
  const groups = await Promise.all(
    codes.map(async ({ code, total, first }): Promise<RejectGroupView> => {
      const found = early.filter((rejection) => rejection.code === code).slice(0, limit);
      const { cause, remedy } = errorTable[code];
      const shown = await withTitles(found.length > 0 ? found : [first], sync, configured, ledger);
      return { code, cause, remedy, total, first: shown.map(toReject) };
    }),
  );

  function toReject(rejection: Awaited<ReturnType<typeof withTitles>>[number]): RejectGroupView['first'][number] {
    const { at, key, title, reason, fields } = rejection;
    const name = rejectionName(rejection);
    const found = known.find((each) => each.kind === 'rejected' && each.key === name);
    return { at, key, title, name, reason, fields, ...(found && { acknowledged: toAcknowledged(found) }) };
  }
  return { ...summary, total: groups.reduce((sum, { total }) => sum + total, 0), groups };
}

/**
 * Yields CSV lines about the rejections of a run: columns about the rejection, then one for each field of any rejected record.
 * @param run undefined if no run has read the feed
 * @param shown changes what is shown of each rejection
 */
export async function* rejectionLines(
  run: PastRun | undefined,
  { runs }: Ledger,
  shown = <Value>(rejected: Value) => rejected,
): AsyncGenerator<string> {
  const rejections = () => (run ? runs.rejections(run.run) : []);
  const names = new Set<string>();
  for await (const { fields } of rejections()) for (const name of Object.keys(fields ?? {})) names.add(name);
  const columns = [...names];
  yield csvLine(['at', 'key', 'code', 'reason', 'remedy', ...shown(columns)]);
  for await (const rejection of rejections()) {
    const { at, key = '', code, reason, fields = {} } = shown(rejection);
    const cells = columns.map((name) => (Object.hasOwn(fields, name) ? toText(fields[name]) : ''));
    yield csvLine([at, key, code, reason, errorTable[code].remedy, ...cells]);
  }
}
