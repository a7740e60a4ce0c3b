import { runHere } from '../../run-here.ts';
import type { Site } from '../../site.ts';

export interface Run {
  run: string;
  status: string;
  counts: Record<string, number>;
  /** Changes that an undo has left as they are. */
  skipped?: Array<{ key: string; code: string }>;
}

/** What a command prints that delivers. */
export interface Printed {
  runs?: Run[];
  error?: { code: string };
}

interface Explained {
  record: { status: string; cmsId: number | null; maybeSent: boolean; error?: { code: string } } | null;
  source: { verdict: { is: string; why: string; next: string } };
}

interface Difference {
  key: string;
  cause: string;
  attributes: string[];
}

interface Undelivered {
  pending: number;
  failed: number;
  held: number;
  deleted: number;
}

/** Runs a command with `--json`, and returns what it prints. */
export async function command<T = Record<string, unknown>>(site: Site, ...args: string[]): Promise<T> {
  return (await runHere([...args, '--json'], site.variables)).json() as T;
}

/** Runs a command that delivers, and returns its run; undefined if there was nothing to do. */
export async function deliver(site: Site, ...args: string[]): Promise<Run | undefined> {
  const printed = await command<Printed>(site, ...args);
  if (printed.error) return { run: '', status: printed.error.code, counts: {} };
  return printed.runs?.[0];
}

/**
 * Says how a run ended and what it did, such as "partial: 1 failed".
 * @param unchanged records of the feed that never change; they are not counted
 */
export function said(run: Run | undefined, unchanged = 0): string {
  if (!run) return 'nothing to do';
  const { read, ...counts } = run.counts;
  // The run that creates them does not find them unchanged.
  const others = Math.min(unchanged, counts.unchanged ?? 0);
  const shown = { ...counts, unchanged: (counts.unchanged ?? 0) - others };
  const done = Object.entries(shown).filter(([, count]) => count > 0);
  const skipped = run.skipped?.map(({ key, code }) => `${key} ${code}`) ?? [];
  return `${run.status}: ${[...done.map(([name, count]) => `${count} ${name}`), ...skipped].join(', ')}`;
}

/** Explains "T1". */
export async function explain(site: Site): Promise<Pick<Explained, 'record'> & Explained['source']> {
  const { record, source } = await command<Explained>(site, 'explain', 'talks', 'T1');
  return { record, ...source };
}

/** The differences that `verify` finds, by their causes, such as "T1 edited location". */
export async function drift(site: Site): Promise<string[]> {
  const { verified = [] } = await command<{ verified?: Array<{ drift?: Difference[] }> }>(site, 'verify', 'talks');
  const differences = verified.flatMap(({ drift }) => drift ?? []);
  return differences.map(({ key, cause, attributes }) => [key, cause, ...attributes].join(' '));
}

/** What `status` says is not delivered, such as "1 failed". */
export async function undelivered(site: Site): Promise<string> {
  const { syncs } = await command<{ syncs: Array<{ undelivered: Undelivered }> }>(site, 'status', 'talks');
  const { pending = 0, failed = 0, held = 0 } = syncs[0]?.undelivered ?? {};
  const counts = Object.entries({ pending, failed, held }).filter(([, count]) => count > 0);
  return counts.map(([name, count]) => `${count} ${name}`).join(', ');
}
