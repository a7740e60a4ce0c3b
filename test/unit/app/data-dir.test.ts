import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readEnvironment } from '../../../src/app/environment.ts';
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
});
