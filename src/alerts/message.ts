import { randomUUID } from 'node:crypto';
import type { AlertKind, BrokenSync } from '../config/types.ts';
import { siteTime } from '../core/dates/site-time.ts';
import { errorTable } from '../core/errors.ts';
import { describeIncomplete } from '../core/feed.ts';
import { hashJson } from '../core/hash.ts';
import type { Resource } from '../core/record.ts';
import { describeCounts, type RunReport, type RunResult } from '../core/run.ts';
import { runPath, syncPath } from '../core/text/addresses.ts';
import { consolePlace, splitAdvice } from '../core/text/console-places.ts';
import { isMasked, masked } from '../core/text/masked.ts';
import { nameWithKey } from '../core/text/record-title.ts';
import { type Subject, textParts } from '../core/text/text-parts.ts';
import type { ClaimedAlert } from '../ledger/alerts/alerts.ts';
import type { SyncHealth } from '../ledger/runs/sync-health.ts';
import {
  countNew,
  FIRST_PROBLEMS,
  type PlannedDeletes,
  type ReportedProblem,
  reportedProblems,
  toDelete,
  toMistake,
} from './problems.ts';

/**
 * A message about a sync: the JSON for programs, `title` and `text` for people. Has codes, places, keys and the titles of events,
 * but no other values. People are named by their masked addresses.
 */
export interface AlertMessage {
  /** Stays the same if the message is sent again. */
  id: string;
  type: 'alert' | 'recovery' | 'test';
  sync: string;
  kinds: AlertKind[];
  title: string;
  text: string;
  /** ISO instant of the beginning of the problem. */
  since: string;
  /** How often the problem occurred since the last message. */
  times: number;
  run?: Omit<RunResult, 'sync'> & Pick<RunReport, 'error'> & { /** Why the feed is incomplete. */ reason?: string };
  /** The first of the undelivered records, those first that are new since the last message. */
  problems: ReportedProblem[];
  /** How many of the undelivered records are new since the last message; absent: it is the first one. */
  newProblems?: number;
  /** For a held plan: how many items it would delete, and the first of them. */
  deletes?: { total: number; first: Array<{ key: string; title?: string }> };
  /** Commands that show more. */
  commands: string[];
  /** Pages of the console that show more; absent: the address of the console is unknown. */
  links?: string[];
}

/** Alerts of one sync and channel: one that continues, or all that end together. */
export type DueAlerts = readonly [ClaimedAlert, ...ClaimedAlert[]];

/**
 * Composes a message.
 * @param report of the run that causes the problem, else of the last run
 * @param about.timezone of the times in the text
 * @param about.consoleUrl address of the console, if known
 * @param about.mistakes in the file of the sync, if these are the problem
 * @param about.resource of the sync, if known
 */
export function composeMessage(
  alerts: DueAlerts,
  report: RunReport | undefined,
  health: SyncHealth,
  about: {
    timezone: string;
    consoleUrl?: string;
    mistakes?: BrokenSync['problems'];
    resource?: Resource;
    deletes?: PlannedDeletes;
  },
): AlertMessage {
  const { timezone, consoleUrl, mistakes, resource, deletes } = about;
  const [{ sync, kind, isOver, run, sentCount, pendingCount, reported }] = alerts;
  const since = Math.min(...alerts.map((alert) => alert.since));
  const isDrift = kind === 'drift' && !isOver;
  const problems =
    isOver || isDrift ? [] : (mistakes?.map(toMistake) ?? (report ? reportedProblems(report, reported, resource) : []));
  const type = isOver ? 'recovery' : 'alert';
  const kinds = alerts.map((alert) => alert.kind);
  const commands = [`feedferry ${isDrift ? 'verify' : 'status'} ${sync}`];
  if (mistakes) commands.push('feedferry validate');
  else if (problems.some(({ at }) => at !== undefined)) commands.push(`feedferry rejects ${sync}`);
  const message = {
    id: hashJson([type, sync, ...kinds, since, run, sentCount]).slice(0, 32),
    type,
    sync,
    kinds,
    title: `${sync}: ${isOver ? describeEnd(health) : mistakes ? 'its sync file has mistakes' : titleOf(kind, report)}`,
    since: new Date(since).toISOString(),
    times: isOver ? 0 : pendingCount,
    run: report && !isDrift ? runOf(report) : undefined,
    problems: problems.slice(0, FIRST_PROBLEMS),
    newProblems: report && reported.size > 0 && !isOver ? countNew(report, reported) : undefined,
    deletes: deletes && { total: deletes.total, first: deletes.first.map(toDelete) },
    commands,
    links: consoleUrl ? [`${consoleUrl}${pageOf(alerts[0], mistakes ? undefined : report)}`] : undefined,
  } as const;
  return { ...message, text: textOf(message, problems.length, health, { timezone, consoleUrl }) };
}

/** A message that shows that messages arrive. */
export function testMessage(sync: string | undefined): AlertMessage {
  const [id, since] = [randomUUID(), new Date().toISOString()];
  const of = sync === undefined ? '' : ` of ${sync}`;
  const text = `Messages${of} arrive here. Nothing is wrong, and nothing has to be done.`;
  return {
    ...{ id, type: 'test', sync: sync ?? '', kinds: [], title: `Test of the alerts${of}`, text, since, times: 0 },
    ...{ problems: [], commands: [] },
  };
}

/** The page of the console where the problem is decided or explained. */
function pageOf({ sync, kind, isOver }: ClaimedAlert, report: RunReport | undefined): string {
  if (!report || isOver || !PAGES_OF_RUNS.has(kind)) return syncPath(sync);
  return runPath(report.run, kind === 'held' ? 'plan' : undefined);
}

const PAGES_OF_RUNS: ReadonlySet<AlertKind> = new Set(['failed', 'held', 'partial']);

const TITLES: Readonly<Record<AlertKind, string>> = {
  failed: 'the run failed',
  held: 'the run is held, nothing was changed',
  empty: 'the feed has no records',
  partial: 'some records were not delivered',
  drift: 'the CMS differs from what was delivered',
  stale: 'no run has succeeded for too long',
};

function titleOf(kind: AlertKind, report: RunReport | undefined): string {
  const isOnlyIncomplete = kind === 'partial' && report && !report.complete && countFailures(report) === 0;
  if (isOnlyIncomplete) return 'the feed was not read completely';
  return (kind === 'partial' && report && onlyWithdrawn(report)) || TITLES[kind];
}

/** Says that events that the feed has withdrawn are still on the site, if that is all that is wrong: these reasons quote no values. */
function onlyWithdrawn({ complete, counts, rejections }: RunReport): string | undefined {
  const isAll =
    complete && counts.failed + counts.held + counts.unremoved === 0 && rejections.length === counts.rejected;
  if (!isAll || !rejections.every(({ code }) => code === 'FF_RECORD_WITHDRAWN')) return undefined;
  return [...new Set(rejections.map(({ reason }) => reason))].join('; ');
}

function countFailures({ counts: { rejected, failed, held, unremoved } }: RunReport): number {
  return rejected + failed + held + unremoved;
}

/** A problem is also over if a person has decided about the held plan. */
function describeEnd({ latest }: SyncHealth): string {
  return latest?.decision
    ? `the held plan was ${latest.decision.is} by ${masked(latest.decision.by)}`
    : 'working again';
}

/** The message of an unexpected error may contain anything, so it is only logged. */
function runOf({
  run,
  status,
  counts,
  complete,
  durationMs,
  withoutFiles,
  receipt,
  error,
}: RunReport): NonNullable<AlertMessage['run']> {
  const message = error?.code === 'FF_BUG' ? errorTable.FF_BUG.cause : masked(error?.message ?? '');
  return {
    run,
    status,
    counts,
    complete,
    durationMs,
    withoutFiles,
    reason: complete || error || receipt?.reason === undefined ? undefined : masked(receipt.reason),
    error: error && { ...error, message },
  };
}

/** A mail shows the pages of the console, if their address is known, in place of commands. */
function remedyText(remedy: string, subject: Subject, consoleUrl: string | undefined): string {
  // Who needs the settings finds them on the page.
  const { plain, technical } = splitAdvice(remedy, subject);
  const shown = consoleUrl === undefined ? remedy : plain || technical;
  const linked = new Set<string>();
  const parts = textParts(shown, subject).map(({ is, text }) => {
    const place = is === 'command' && consoleUrl !== undefined ? consolePlace(text, subject) : undefined;
    if (place && linked.has(place.path)) return place.text;
    if (place) {
      linked.add(place.path);
      return `${place.text} (${consoleUrl}${place.path})`;
    }
    return { words: text, lines: `\n${text}\n`, code: `\`${text}\``, command: `\`${text}\`` }[is];
  });
  return parts.join('');
}

function textOf(
  message: Omit<AlertMessage, 'text'>,
  problemCount: number,
  health: SyncHealth,
  { timezone, consoleUrl }: { timezone: string; consoleUrl: string | undefined },
) {
  const { sync } = message;
  const { type, kinds, since, times, run, problems, newProblems, deletes, commands, links = [] } = message;
  const lines: string[] = [];
  if (type === 'recovery') lines.push(`Resolved: ${kinds.join(', ')} (since ${siteTime(since, timezone)}).`);
  if (kinds.includes('stale') && type === 'alert') lines.push(lastSuccess(health, timezone));
  if (kinds.includes('drift') && type === 'alert') lines.push(`Differences: ${health.drift?.summary}.`);
  if (run)
    lines.push(
      `Run ${run.run}: ${run.status}; ${describeCounts({ ...run.counts, withoutFiles: run.withoutFiles ?? 0 }) || 'no records'}.`,
    );
  if (run?.error)
    lines.push(
      `${run.error.code} ${run.error.message} ${remedyText(run.error.remedy, { sync, run: run.run }, consoleUrl)}`,
    );
  if (type === 'alert' && run && !run.complete && !run.error) lines.push(describeIncomplete(run.reason));
  if (newProblems !== undefined && problemCount > 0)
    lines.push(`New since the last message: ${newProblems} of ${problemCount}.`);
  for (const { code, cause, remedy, at, key, title } of problems) {
    const record = key && (title ? nameWithKey({ key, title }) : `"${key}"`);
    lines.push(
      `- ${[at, record].filter(Boolean).join(', ')}: ${code} ${cause}`,
      `  ${remedyText(remedy, { sync, ...(key !== undefined && !isMasked(key) && { key }) }, consoleUrl)}`,
    );
  }
  if (problemCount > problems.length) lines.push(`- … and ${problemCount - problems.length} more`);
  if (deletes) {
    lines.push(`It would delete ${deletes.total} ${deletes.total === 1 ? 'item' : 'items'}:`);
    for (const each of deletes.first) lines.push(`- ${nameWithKey(each)}`);
    if (deletes.total > deletes.first.length) lines.push(`- … and ${deletes.total - deletes.first.length} more`);
  }
  if (times > 1) lines.push(`Occurred ${times} times since the last message.`);
  for (const link of links) lines.push(`Open: ${link}`);
  if (links.length > 0) return lines.join('\n');
  return [...lines, 'For details, run:', ...commands.map((command) => `  ${command}`)].join('\n');
}

function lastSuccess({ good, firstAt }: SyncHealth, timezone: string): string {
  if (good) return `The last good run ended at ${siteTime(good.finishedAt, timezone)}.`;
  return `No run has succeeded${firstAt === undefined ? '' : ` since the first one at ${siteTime(firstAt, timezone)}`}.`;
}
