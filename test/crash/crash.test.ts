import { randomInt } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { findTestPrograms } from '../support/find-programs.ts';
import { combinations } from './combination.ts';
import { formatRound } from './figures.ts';
import { playRound } from './round.ts';
import { missingServer, openServers } from './servers/servers.ts';

// The short form of `npm run test:crash`: one round each, another one every time.
const servers = openServers(findTestPrograms({ redis: true, postgres: true }));
afterAll(() => servers.close());

const playable = combinations.filter((combination) => !missingServer(combination, servers.programs));

describe('Processes killed at random moments', () => {
  test.each(playable)('$name: nothing is lost and nothing doubled', { timeout: 600_000 }, async (combination) => {
    const report = await playRound(combination, randomInt(1_000_000_000), servers);
    expect(report.findings, formatRound(report)).toEqual([]);
  });
});
