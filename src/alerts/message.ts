import type { AlertKind } from '../config/types.ts';
import { type ErrorCode, errorTable } from '../core/errors.ts';
import { hashJson } from '../core/hash.ts';
import type { RunCounts, RunReport, RunStatus } from '../core/run.ts';
import type { ClaimedAlert } from '../ledger/alerts/alerts.ts';
import type { Standing } from '../ledger/runs/sync-health.ts';
import { masked } from './mask.ts';

const FIRST_PROBLEMS = 5;

/** What somebody is told: for programs as it is, for people `title` and `text`. It names codes, places and keys, no values. */
export interface AlertMessage {
  /** The same where a message is sent again. */
  id: string;
  type: 'alert' | 'recovery';
  sync: string;
  kinds: AlertKind[];
  title: string;
  text: string;
  /** ISO instant since when it goes on, or went on. */
  since: string;
  /** How often it happened since the last message. */
  times: number;
  run?: MessageRun;
  /** The first of the records that did not get through. */
  problems: Problem[];
  /** What to type to look further. */
  commands: string[];
}

interface MessageRun {
  run: string;
  status: RunStatus;
  counts: RunCounts;
  complete: boolean;
  durationMs: number;
  error?: { code: string; message: string; remedy: string };
}

interface Problem {
  code: string;
  cause: string;
  remedy: string;
  /** Where the feed has it. */
  at?: string;
  key?: string;
}

/**
 * Words what is to be told.
 * @param alerts of one sync and channel: one that goes on, or all whose end is told at once
 * @param report of the run that gives cause; of the last one where none does
 */
export function wordMessage(
  alerts: readonly [ClaimedAlert, ...ClaimedAlert[]],
  report: RunReport | undefined,
  standing: Standing,
): AlertMessage {
  const [{ sync, kind, isOver, run, told, untold }] = alerts;
  const since = Math.min(...alerts.map((alert) => alert.since));
  const problems = isOver || !report ? [] : problemsOf(report);
  const type = isOver ? 'recovery' : 'alert';
  const kinds = alerts.map((alert) => alert.kind);
  const title = isOver ? `${sync}: it works again` : titles[kind](sync);
  const commands = [`feedferry status ${sync}`];
  if (problems.some(({ at }) => at !== undefined)) commands.push(`feedferry rejects ${sync}`);
  const message = {
    id: hashJson([type, sync, ...kinds, since, run, told]).slice(0, 32),
    type,
    sync,
    kinds,
    title,
    since: toIso(since),
    times: isOver ? 0 : untold,
    ...(report && { run: runOf(report) }),
    problems: problems.slice(0, FIRST_PROBLEMS),
    commands,
  } as const;
  return { ...message, text: textOf(message, problems.length, standing) };
}

const titles: Readonly<Record<AlertKind, (sync: string) => string>> = {
  failed: (sync) => `${sync}: the run failed`,
  held: (sync) => `${sync}: the run is held, nothing was changed`,
  empty: (sync) => `${sync}: the feed has no records`,
  partial: (sync) => `${sync}: not all records got through`,
  stale: (sync) => `${sync}: no run has ended well for too long`,
};

function runOf({ run, status, counts, complete, durationMs, error }: RunReport): MessageRun {
  return { run, status, counts, complete, durationMs, ...(error && { error: runError(error) }) };
}

/** What nobody foresaw may say anything, so it is left to the log. */
function runError({ code, message, remedy }: NonNullable<RunReport['error']>): MessageRun['error'] {
  return { code, message: code === 'FF_BUG' ? errorTable.FF_BUG.cause : masked(message), remedy };
}

/** The reasons themselves may quote what the records hold; so each is told by its code alone. */
function problemsOf({ rejections, problems }: RunReport): Problem[] {
  return [
    ...rejections.map(({ code, at, key }) => problem(code, key, at)),
    ...problems.map(({ code, key }) => problem(code as ErrorCode, key)),
  ];
}

function problem(code: ErrorCode, key?: string, at?: string): Problem {
  const { cause, remedy } = errorTable[code];
  return {
    code,
    cause,
    remedy,
    ...(at !== undefined && { at: masked(at) }),
    ...(key !== undefined && { key: masked(key) }),
  };
}

function textOf(message: Omit<AlertMessage, 'text'>, problemCount: number, standing: Standing): string {
  const { type, kinds, since, times, run, problems, commands } = message;
  const lines: string[] = [];
  if (type === 'recovery') lines.push(`Over: ${kinds.join(', ')}, since ${since}.`);
  if (kinds.includes('stale') && type === 'alert') lines.push(lastGood(standing));
  if (run) lines.push(`Run ${run.run}: ${run.status}; ${countsOf(run.counts)}.`);
  if (run?.error) lines.push(`${run.error.code} ${run.error.message} ${run.error.remedy}`);
  if (type === 'alert' && run && !run.complete && !run.error) lines.push('The feed was not read to its end.');
  for (const { code, cause, remedy, at, key } of problems) {
    lines.push(`- ${[at, key && `"${key}"`].filter(Boolean).join(', ')}: ${code} ${cause} ${remedy}`);
  }
  if (problemCount > problems.length) lines.push(`- … and ${problemCount - problems.length} more`);
  if (times > 1) lines.push(`That was so ${times} times since the last message.`);
  lines.push(`Look further: ${commands.join(' ; ')}`);
  return lines.join('\n');
}

function lastGood({ good, firstAt }: Standing): string {
  if (good) return `The last run that brought records over ended ${toIso(good.finishedAt)}.`;
  return firstAt === undefined ? 'None ever did.' : `None ever did, since ${toIso(firstAt)}.`;
}

function countsOf(counts: RunCounts): string {
  const { read, ...rest } = counts;
  const others = Object.entries(rest).filter(([, count]) => count > 0);
  return [`read ${read}`, ...others.map(([name, count]) => `${name} ${count}`)].join(', ');
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
