import { afterAll, describe, expect, test } from 'vitest';
import { findPrograms } from '../support/find-programs.ts';
import { combinations } from './combination.ts';
import { formatRound } from './figures.ts';
import { planRound } from './plan.ts';
import { playRound } from './round.ts';
import { missingServer, openServers } from './servers/servers.ts';

/** Rounds that play much in little time; `npm run dev -- test:crash` plays any, in all combinations. */
const ROUNDS = [
  { name: 'sqlite+in-process', seed: 1999, disturbances: ['kill planner', 'restart sandbox', 'turn clock'] },
  {
    name: 'postgresql+bullmq',
    seed: 15_559,
    disturbances: ['restart redis', 'turn clock', 'restart postgres', 'restart sandbox', 'kill worker'],
  },
];

// They need servers of their own, which they kill.
const servers = openServers(findPrograms());
afterAll(() => servers.close());

const rounds = combinations.flatMap((combination) =>
  ROUNDS.filter(({ name }) => name === combination.name).map((round) => ({ ...round, combination })),
);

describe('Killed processes and servers', () => {
  test.for(rounds)(
    '$name: nothing is lost and nothing doubled',
    { timeout: 600_000 },
    async ({ combination, seed, disturbances }, { skip }) => {
      const missing = missingServer(combination, servers.programs);
      skip(missing !== undefined, `there is no ${missing} to kill`);
      expect(planRound(combination, seed).disturbances.map(({ what }) => what)).toEqual(disturbances);
      const report = await playRound(combination, seed, servers);
      expect(report.findings, formatRound(report)).toEqual([]);
    },
  );
});
