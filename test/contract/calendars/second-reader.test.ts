import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readWithConnector } from './connector.ts';
import { explained } from './explained.ts';
import { readWithNodeIcal } from './node-ical.ts';
import { differencesOf } from './reading.ts';

const root = join(import.meta.dirname, '../../..');
/** All dates of the calendars, so that no difference is one of windows. */
const window = { from: '1999-01-01', to: '2031-12-31' };
/**
 * Without those of bug reports, which are odd on purpose: `e2e/feeds/reports.test.ts` says what each of them must give. And without those
 * with private and cancelled events, which node-ical shows.
 */
const exclude = ['test/fixtures/reports/**', 'bench/corrections/**'];
const files = globSync('{bench,examples,docs,recipes,test}/**/*.ics', { cwd: root, exclude }).sort();
const explanations = explained.flatMap(({ because, in: places }) =>
  Object.entries(places).flatMap(([file, uids]) => uids.map((uid) => ({ file, uid, because }))),
);

// node-ical warns on the console.
beforeAll(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterAll(() => void vi.restoreAllMocks());

describe('node-ical, a second reader, differs only as explained', () => {
  test.each(files)('in %s', async (file) => {
    const bytes = readFileSync(join(root, file));
    const differences = differencesOf(
      await readWithConnector(bytes, window),
      readWithNodeIcal(bytes.toString(), window),
    );
    const known = explanations.filter((one) => one.file === basename(file)).map(({ uid }) => uid);
    expect(differences.filter(({ uid }) => !known.includes(uid))).toEqual([]);
    expect(known.filter((uid) => !differences.some((one) => one.uid === uid))).toEqual([]);
  });

  test('and each explanation is of a calendar, once', () => {
    expect(files.length).toBeGreaterThanOrEqual(15);
    const names = files.map((file) => basename(file));
    expect(new Set(names).size).toBe(names.length);
    expect(explanations.filter(({ file }) => !names.includes(file))).toEqual([]);
    expect(new Set(explanations.map(({ file, uid }) => `${file} ${uid}`)).size).toBe(explanations.length);
  });
});
