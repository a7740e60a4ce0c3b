import type { BrokenSync } from '../config/types.ts';
import { type ErrorCode, errorTable } from '../core/errors.ts';
import type { Resource } from '../core/record.ts';
import type { RunReport } from '../core/run.ts';
import { masked } from '../core/text/masked.ts';
import { recordTitle } from '../core/text/record-title.ts';
import { problemIds } from '../core/text/rejection-name.ts';
import type { StagedChange } from '../ledger/plans/staged-plan.ts';

/** Number of problems and deletes that a message names. */
export const FIRST_PROBLEMS = 5;

/** A problem as a message names it. */
export interface ReportedProblem {
  code: ErrorCode;
  cause: string;
  remedy: string;
  /** The record's place in the feed. */
  at?: string;
  key?: string;
  title?: string;
}

/** The items that a held plan would delete. */
export interface PlannedDeletes {
  total: number;
  first: ReadonlyArray<Pick<StagedChange, 'key' | 'title' | 'resource' | 'payload'>>;
}

/**
 * Reports each problem by its code alone, because the reasons may quote values of records.
 * @param reported those that the last message was about; the others come first
 */
export function reportedProblems(
  report: RunReport,
  reported: ReadonlySet<string>,
  resource?: Resource,
): ReportedProblem[] {
  const { rejections, problems } = report;
  const ids = problemIds(report);
  const all = [
    ...rejections.map(({ code, at, key, title }) => ({ ...problem(code, key, at), ...titled(title) })),
    ...problems.map(({ code, key, title }) => ({ ...problem(code as ErrorCode, key), ...titled(title) })),
  ];
  function titled(title: string | undefined) {
    return title !== undefined && resource === 'events' && { title: masked(title) };
  }
  const old = new Set(all.filter((_, place) => reported.has(ids[place] ?? '')));
  return [...all.filter((each) => !old.has(each)), ...old];
}

/** Names an item that would be deleted. People are named by their masked addresses. */
export function toDelete({ key, title, resource, payload }: PlannedDeletes['first'][number]) {
  const shown = resource === 'events' ? title : recordTitle({ email: payload.email }, resource);
  return { key: masked(key), title: masked(shown) || undefined };
}

/** Returns how many problems the last message was not about. */
export function countNew(report: RunReport, reported: ReadonlySet<string>): number {
  return problemIds(report).filter((id) => !reported.has(id)).length;
}

/** A mistake in the file of a sync. */
export function toMistake({ file, line, column, code, message }: BrokenSync['problems'][number]): ReportedProblem {
  return {
    code,
    cause: message.replace(/(?<![.?!])$/, '.'),
    remedy: errorTable[code].remedy,
    at: `${file}:${line}:${column}`,
  };
}

function problem(code: ErrorCode, key?: string, at?: string): ReportedProblem {
  const { cause, remedy } = errorTable[code];
  return { code, cause, remedy, at: at && masked(at), key: key && masked(key) };
}
