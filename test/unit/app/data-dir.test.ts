import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readEnvironment } from '../../../src/app/environment.ts';
import { inspectLedger } from '../../../src/ledger/database/inspect.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { temporaryDir } from '../../support/engines.ts';

let dir: ReturnType<typeof temporaryDir>;

beforeEach(() => {
  dir = temporaryDir();
  vi.spyOn(process, 'cwd').mockReturnValue(dir.path);
});

afterEach(() => {
  vi.restoreAllMocks();
  dir[Symbol.dispose]();
});

describe('The data directory', () => {
  test('By default it is beside the config folder, whatever the working directory', () => {
    const data = '/srv/site/.feedferry';
    expect(readEnvironment({}, '/srv/site/config').dataDir).toBe(data);
    expect(readEnvironment({ FEEDFERRY_CONFIG: '/srv/site/config/' }).dataDir).toBe(data);
    expect(readEnvironment({}).dataDir).toBe(join(dir.path, '.feedferry'));
    expect(readEnvironment({}, '../config').dataDir).toBe(join(dir.path, '..', '.feedferry'));
    expect(readEnvironment({ FEEDFERRY_DATA: 'data' }, '/srv/site/config').dataDir).toBe(join(dir.path, 'data'));
  });

  test('An empty ledger is never begun while the working directory has one', async () => {
    const environment = () => readEnvironment({}, 'site/config');
    await (await openLedger(readEnvironment({}))).close();

    const refusal = {
      code: 'FF_DATA_DIR_MOVED',
      remedy: expect.stringContaining(`mv ${join(dir.path, '.feedferry')} ${join(dir.path, 'site', '.feedferry')}`),
    };
    await expect(openLedger(environment())).rejects.toMatchObject(refusal);
    await expect(inspectLedger(environment())).rejects.toMatchObject(refusal);

    const chosen = readEnvironment({ FEEDFERRY_DATA: 'site/.feedferry' }, 'site/config');
    await (await openLedger(chosen)).close();
    // Both have a ledger now: that of the config counts.
    await (await openLedger(environment())).close();
  });

  test('With PostgreSQL, the key of pending passwords counts', async () => {
    const environment = readEnvironment({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 'site/config');
    mkdirSync(join(dir.path, '.feedferry'));
    await expect(openLedger(environment)).rejects.toMatchObject({ code: 'FF_LEDGER_UNAVAILABLE' });
    writeFileSync(join(dir.path, '.feedferry', 'secret.key'), '');
    await expect(openLedger(environment)).rejects.toMatchObject({ code: 'FF_DATA_DIR_MOVED' });
  });
});
