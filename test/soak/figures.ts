import { formatTrend, memoryTrends } from './check-memory.ts';
import type { Sample } from './sample.ts';
import type { SoakReport } from './soak.ts';

const ROWS = 12;
const MOST_FINDINGS = 20;

/** Formats the findings of a soak, a dozen samples as a table in Markdown, and the trends of the memory. */
export function formatSoak({ combination, seed, samples, findings, requests, dir }: SoakReport): string {
  const shown = samples.filter(
    (_, index) => index % Math.ceil(samples.length / ROWS) === 0 || index === samples.length - 1,
  );
  const listed = findings.slice(0, MOST_FINDINGS).map(({ is, what }) => `  ${is}: ${what}`);
  return [
    `${combination.name}, seed ${seed}, ${requests} requests: ${findings.length === 0 ? 'ok' : `${findings.length} FINDINGS`}`,
    ...listed,
    ...(findings.length > listed.length ? [`  and ${findings.length - listed.length} more`] : []),
    ...(dir ? [`  kept: ${dir}`] : []),
    '',
    ...tableOf(shown),
    '',
    ...memoryTrends(samples).map(formatTrend),
    '',
  ].join('\n');
}

function tableOf(samples: readonly Sample[]): string[] {
  const processes = Object.keys(samples[0]?.memory ?? {});
  const columns: Record<string, (sample: Sample) => number | string> = {
    seconds: ({ atMs }) => Math.round(atMs / 1000),
    ...Object.fromEntries(
      processes.flatMap((name) => [
        [`${name}: MB`, ({ memory }: Sample) => inMegabytes(memory[name]?.rss ?? 0)],
        [`${name}: heap`, ({ memory }: Sample) => inMegabytes(memory[name]?.heap ?? 0)],
      ]),
    ),
    'ledger: MB': ({ ledgerBytes }) => inMegabytes(ledgerBytes),
    records: ({ ledgerRows }) => ledgerRows.records ?? 0,
    attempts: ({ ledgerRows }) => ledgerRows.attempts ?? 0,
    runs: ({ ledgerRows }) => ledgerRows.runs ?? 0,
    staged: ({ ledgerRows }) => ledgerRows.staged ?? 0,
    'queued jobs': ({ queueJobs }) => queueJobs,
    success: ({ runs }) => runs.success,
    partial: ({ runs }) => runs.partial,
    failed: ({ runs }) => runs.failed,
    held: ({ runs }) => runs.held,
  };
  const rows = samples.map((sample) => Object.values(columns).map((column) => column(sample)));
  return [Object.keys(columns), Object.keys(columns).map(() => '--:'), ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
}

function inMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
