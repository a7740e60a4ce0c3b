import { expect, test } from 'vitest';
import { loadConfig } from '../../../../src/config/load.ts';
import { connectors, env, events, folder, problems, target } from '../setup.ts';

const DAY_MS = 86_400_000;

const files = (retention: string) => ({
  'feedferry.yaml': `${target}retention: ${retention}\n`,
  'syncs/a.yaml': events,
});

test('Each kind of data is kept for the configured time, or else for the default', () => {
  const { retention } = loadConfig(folder(files('{ runs: 365d, beforeImages: 0d }')), connectors, env);
  expect(retention).toEqual({
    runsMs: 365 * DAY_MS,
    rejectsMs: 14 * DAY_MS,
    beforeImagesMs: 0,
    filesMs: 180 * DAY_MS,
  });
});

test('Mistakes in the retention are reported with their places', () => {
  expect(problems(files('{ runs: 12h, rejcts: 1d }'))).toEqual([
    expect.stringMatching(/^feedferry.yaml:\d+:\d+: .*runs.*must be a number of days, such as 30d/),
    expect.stringMatching(/^feedferry.yaml:\d+:\d+: .*did you mean "?rejects/i),
  ]);
});
