import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readEnvironment } from '../../../src/app/environment.ts';
import { createExaminations } from '../../../src/queries/site/machine.ts';
import { temporaryDir } from '../../support/engines.ts';

const log = pino({ level: 'silent' });

test('An examination runs in the background, one at a time, and its findings are kept', async () => {
  using dir = temporaryDir();
  const environment = readEnvironment({ FEEDFERRY_DATA: join(dir.path, 'data') }, join(dir.path, 'config'));
  const { examination, examine } = createExaminations({ environment, log });
  expect(examination()).toEqual({ state: 'never', findings: [] });

  examine();
  const { startedAt, state } = examination();
  expect(state).toBe('running');
  examine();
  expect(examination().startedAt).toBe(startedAt);

  await expect.poll(() => examination().state, { timeout: 20_000 }).toBe('done');
  const { findings, finishedAt } = examination();
  expect(finishedAt).toBeDefined();
  expect(findings[0]).toMatchObject({ check: 'config', is: 'problem', code: 'FF_CONFIG_MISSING' });
  expect(findings.filter(({ check }) => check === 'node')).toHaveLength(1);
});

test('None begins when the process ends', () => {
  using dir = temporaryDir();
  const environment = readEnvironment({ FEEDFERRY_DATA: dir.path }, dir.path);
  const { examination, examine } = createExaminations({ environment, log, signal: AbortSignal.abort() });
  examine();
  expect(examination().state).toBe('never');
});
