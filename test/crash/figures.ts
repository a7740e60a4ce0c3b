import type { Finding } from './checks/finding.ts';
import type { RoundReport } from './round.ts';

const count = (rounds: readonly RoundReport[], of: (round: RoundReport) => number): number =>
  rounds.reduce((sum, round) => sum + of(round), 0);

const findings = (is: Finding['is']) => (rounds: readonly RoundReport[]) =>
  count(rounds, (round) => round.findings.filter((finding) => finding.is === is).length);

const done = (what: keyof RoundReport['done']) => (rounds: readonly RoundReport[]) =>
  count(rounds, (round) => round.done[what]);

type Convergence = 'runsToConverge' | 'secondsToConverge';

const average = (rounds: readonly RoundReport[], of: Convergence): string =>
  (count(rounds, (round) => round[of]) / rounds.length).toFixed(2);

const most = (rounds: readonly RoundReport[], of: Convergence): number => Math.max(...rounds.map((round) => round[of]));

const columns: Record<string, (rounds: readonly RoundReport[]) => number | string> = {
  rounds: (rounds) => rounds.length,
  'planners killed': done('kill planner'),
  'workers killed': done('kill worker'),
  suspended: (rounds) => done('suspend planner')(rounds) + done('suspend worker')(rounds),
  'CMS killed': done('restart sandbox'),
  'Redis killed': done('restart redis'),
  FLUSHALL: done('flush redis'),
  'PostgreSQL restarted': done('restart postgres'),
  'clock turned': done('turn clock'),
  'commits undone': done('undo commit'),
  ...Object.fromEntries(
    ['ledger lost', 'ledger restored', 'CMS restored', 'feed cut'].map((what) => [
      what,
      (rounds: readonly RoundReport[]) => count(rounds, ({ mishap }) => (mishap === what ? 1 : 0)),
    ]),
  ),
  'no external ids': (rounds) => count(rounds, ({ externalId }) => (externalId ? 0 : 1)),
  records: (rounds) => count(rounds, ({ records }) => records),
  requests: (rounds) => count(rounds, ({ requests }) => requests),
  lost: findings('lost'),
  doubled: findings('doubled'),
  'wrong content': findings('wrong content'),
  'uploads repeated': (rounds) => count(rounds, ({ uploads }) => uploads.repeated),
  'beyond need': (rounds) => count(rounds, ({ uploads }) => uploads.beyondNeed),
  'wrong changes': findings('wrong change'),
  'other findings': findings('other'),
  'runs to converge': (rounds) => `${average(rounds, 'runsToConverge')} (at most ${most(rounds, 'runsToConverge')})`,
  'slowest to converge': (rounds) => `${most(rounds, 'secondsToConverge').toFixed(1)} s`,
};

/** Processes and servers that were killed in these rounds; a flushed Redis is none of them. */
export function killsOf(...rounds: readonly RoundReport[]): number {
  const kills = ['kill planner', 'kill worker', 'restart sandbox', 'restart redis', 'restart postgres'] as const;
  return count(rounds, (round) => kills.reduce((sum, kill) => sum + round.done[kill], 0));
}

/** Formats the totals of all rounds, by combination, as a table in Markdown. */
export function figures(rounds: readonly RoundReport[]): string {
  const byCombination = Map.groupBy(rounds, ({ combination }) => combination.name);
  return [
    ['combination', ...Object.keys(columns)],
    ['---', ...Object.keys(columns).map(() => '--:')],
    ...[...byCombination, ['all', rounds] as const].map(([name, some]) => [
      name,
      ...Object.values(columns).map((column) => column(some)),
    ]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Formats a round as one line; one with findings also lists what helps to explain them. */
export function formatRound(round: RoundReport): string {
  const { combination, seed, seconds, records, requests, findings: found, story, dir } = round;
  const line = [
    combination.name.padEnd(22),
    `seed ${seed}`,
    `${seconds.toFixed(1)} s`,
    `${killsOf(round)} kills`,
    `${records} records`,
    `${requests} requests`,
    `converged in ${round.runsToConverge} run(s), ${round.secondsToConverge.toFixed(1)} s`,
    found.length === 0 ? 'ok' : `${found.length} FINDINGS`,
  ].join('  ');
  if (found.length === 0) return line;
  const again = `again: npm run dev -- test:crash --rounds 1 --combination ${combination.name} --seed ${seed}`;
  const listed = found.map(({ is, what }) => `  ${is}: ${what}`);
  return [line, ...listed, ...story.map((moment) => `  ${moment}`), `  kept: ${dir}`, `  ${again}`].join('\n');
}
