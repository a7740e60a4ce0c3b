import { type Package, packagesByUse } from './shipped.ts';

/** Licenses that allow to ship a package with ours: they ask for their notice, which dist/THIRD-PARTY-LICENSES.txt gives. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-0-Clause',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unicode-3.0',
];
/** Also fine for tools that are not shipped. */
const FOR_TOOLS = [...PERMISSIVE, 'MPL-2.0', 'PSF-2.0'];

/** Returns the packages whose license is not on the list for their use, as `name version: license`. */
export function unwantedLicenses(): string[] {
  const { bundled, installed, forRedis, development } = packagesByUse();
  return [
    ...[...bundled, ...installed, ...forRedis].filter(({ license }) => !isAllowed(license, PERMISSIVE)),
    ...development.filter(({ license }) => !isAllowed(license, FOR_TOOLS)),
  ].map(({ name, version, license }) => `${name} ${version}: ${license}`);
}

/** Returns the page docs/development/licenses.md. */
export function licensePage(): string {
  const { bundled, installed, forRedis, development } = packagesByUse();
  const others = new Set(development.map(({ license }) => license));
  return `# Licenses of the dependencies

Generated from the lockfile and the bundle: \`npm run docs:licenses\`. feedferry itself is Apache-2.0. What is shipped may have only
these licenses: ${PERMISSIVE.join(', ')}. Tools for development may also have: ${FOR_TOOLS.slice(PERMISSIVE.length).join(', ')}. A test
fails for any other. The texts of the licenses are in the package: \`dist/THIRD-PARTY-LICENSES.txt\`.

## Installed with feedferry

${tableOf(installed)}

## Part of the bundle

${tableOf(bundled)}

## Optional, for Redis

${tableOf(forRedis)}

## Development only

Tools, tests and types have these licenses: ${[...others].toSorted().join(', ')}.
`;
}

function isAllowed(expression: string, allowed: readonly string[]): boolean {
  return expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((license) => allowed.includes(license));
}

function tableOf(packages: readonly Package[]): string {
  const rows = packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  return ['| package | version | license |', '|---|---|---|', ...new Set(rows.toSorted(compare))].join('\n');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}
