import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
/** Everything that the package may have, and why. */
const NEEDED = new Map([
  ['what npm reads', /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/],
  ['the program, its types, and its sources for stack traces', /^dist\/(src|connectors)\/.*\.(js|d\.ts|js\.map)$/],
  ['files that pages load', /^src\/console\/assets\/[^/]+\.(css|js|svg)$/],
  ['the examples, which `feedferry demo` runs', /^examples\/.*\.(yaml|csv|ics|json|svg|png|jpe?g|pdf|txt|xml)$/],
  ['what `feedferry init` knows of feeds', /^recipes\/[\w-]+\.yaml$/],
  [
    'units of systemd, files of Kubernetes, rules and dashboard for monitoring',
    /^deploy\/(systemd|kubernetes|monitoring)\//,
  ],
  ['the bill of materials', /^feedferry\.cdx\.json$/],
  ['documentation, also for `feedferry help`', /^docs\/.*\.(md|svg)$/],
]);
const MOST_PACKED = 3_700_000;
const MOST_UNPACKED = 13_000_000;

const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as [{ size: number; unpackedSize: number; files: Array<{ path: string }> }];
const paths = packed.files.map(({ path }) => path);
const { exports, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string>;
  bin: Record<string, string>;
};

test('The package has nothing without a use, and something for each use', () => {
  const uses = [...NEEDED.values()];
  expect(paths.filter((path) => !uses.some((use) => use.test(path)))).toEqual([]);
  for (const [use, pattern] of NEEDED) {
    // `prepack` writes the bill of materials.
    if (use === 'the bill of materials') continue;
    expect({ use, isThere: paths.some((path) => pattern.test(path)) }).toEqual({ use, isThere: true });
  }
});

test('The package has the files that it exports', () => {
  const named = [...Object.values(exports), ...Object.values(bin)].map((path) => path.replace('./', ''));
  expect(named.filter((path) => !paths.includes(path))).toEqual([]);
});

test('The package has no tests, secrets or cached code', () => {
  const left = /(^|\/)(test|node_modules|\.env|\.cache|\.tsbuildinfo|\.feedferry|secrets)(\/|$)|\.(sqlite|key|pem)$/;
  expect(paths.filter((path) => left.test(path))).toEqual([]);
});

test('The package stays small', () => {
  expect(packed.size).toBeLessThan(MOST_PACKED);
  expect(packed.unpackedSize).toBeLessThan(MOST_UNPACKED);
});
