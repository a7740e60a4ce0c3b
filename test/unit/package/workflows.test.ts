import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { programs } from '../../../scripts/programs.ts';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface Job {
  'runs-on': string;
  'timeout-minutes': number;
  needs?: string | string[];
  strategy?: { matrix: { include: Array<Record<string, string>> } };
  permissions?: Record<string, string>;
  steps: Step[];
}

interface Update {
  'package-ecosystem': string;
  directory?: string;
  directories?: string[];
  schedule: { interval: string };
}

interface Workflow {
  on: Record<string, { tags?: string[] } | Array<{ cron: string }> | null>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const root = join(import.meta.dirname, '../../..');
const folder = join(root, '.github/workflows');
const files = readdirSync(folder);
const { engines, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
const read = (file: string) => parse(textOf(file)) as Workflow;
const ci = read('ci.yml');
const release = read('release.yml');
const scheduled = [read('long.yml'), read('audit.yml')];
const commandsOf = (job?: Job) => job?.steps.flatMap(({ run }) => run ?? []) ?? [];

test('There is a workflow for each change, one for a release, and two that run by a schedule', () => {
  expect(files.toSorted()).toEqual(['audit.yml', 'ci.yml', 'long.yml', 'release.yml']);
  expect(Object.keys(ci.on)).toEqual(['push', 'pull_request']);
  expect(release.on).toEqual({ push: { tags: ['v*'] } });
  const schedule = [{ cron: expect.stringMatching(/^\d+ \d+ \* \* [*\d]$/) }];
  for (const { on } of scheduled) expect(on).toEqual({ schedule, workflow_dispatch: null });
});

describe.each(files)('%s', (file) => {
  const { jobs } = read(file);
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const commands = steps.flatMap(({ run }) => run ?? []);

  test('pins each action to a commit, and names its version', () => {
    const used = [...textOf(file).matchAll(/uses: (.*)/g)].map(([, use = '']) => use);
    expect(used).toHaveLength(steps.filter(({ uses }) => uses).length);
    expect(used.filter((use) => !/^actions\/[a-z-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(use))).toEqual([]);
  });

  test('uses the oldest version of Node that package.json allows', () => {
    const versions = steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@')).map((step) => step.with);
    expect(versions.length).toBeGreaterThan(0);
    for (const settings of versions) expect(`>=${settings?.['node-version']}`).toBe(engines.node);
  });

  test('runs only scripts that exist', () => {
    const names = commands.flatMap((run) =>
      [...run.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name),
    );
    expect(names.filter((name = '') => !(name in scripts))).toEqual([]);
    const run = commands.flatMap((text) => [...text.matchAll(/npm run (?:--silent )?dev -- ([\w:-]+)/g)]);
    expect(run.filter(([, name = '']) => !(name in programs))).toEqual([]);
    const paths = commands.flatMap((run) => [...run.matchAll(/bash (\S+)/g)].map(([, path = '']) => path));
    expect(commands.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('puts no text of others into a command, keeps no credentials, and ends', () => {
    expect(commands.filter((run) => run.includes('${{'))).toEqual([]);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false));
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
  });
});

test('There are at most 20 scripts, and a file for each program of developers', () => {
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(20);
  expect(Object.values(programs).filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
});

test('Each job has only the permissions that it needs', () => {
  for (const { permissions, jobs } of [ci, ...scheduled]) {
    expect(permissions).toEqual({ contents: 'read' });
    expect(Object.values(jobs).filter((job) => job.permissions)).toEqual([]);
  }
  expect(release.permissions).toEqual({});
  expect(
    Object.fromEntries(Object.entries(release.jobs).map(([name, { permissions }]) => [name, permissions])),
  ).toEqual({
    check: { contents: 'read' },
    publish: { contents: 'read', 'id-token': 'write' },
    image: { contents: 'read', packages: 'write' },
    sign: { contents: 'read', packages: 'write', 'id-token': 'write', attestations: 'write' },
    notes: { contents: 'write' },
  });
});

test('CI runs everything that a change has to pass, and builds the image', () => {
  const commands = Object.values(ci.jobs).flatMap(commandsOf);
  expect(commands).toEqual(expect.arrayContaining(['bash .ci/run', 'npm run image:check']));
});

test('The long tests, the planted bugs and the audit run by a schedule', () => {
  const commands = scheduled.flatMap(({ jobs }) => Object.values(jobs).flatMap(commandsOf));
  expect(commands).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^npm run dev -- test:long --minutes \d+$/),
      ...['npm run dev -- test:mutants', 'npm run dev -- simulate:mutants'],
      ...['npm audit signatures', 'npm audit --omit=dev --audit-level=high'],
    ]),
  );
});

test('Dependabot looks at everything that is fixed to a version', () => {
  const { updates } = parse(readFileSync(join(root, '.github/dependabot.yml'), 'utf8')) as { updates: Update[] };
  const watched = updates.flatMap((update) =>
    (update.directories ?? [update.directory]).map((directory) => `${update['package-ecosystem']} ${directory}`),
  );
  expect(watched).toEqual(['npm /', 'npm /site', 'docker /', 'github-actions /']);
  for (const file of ['package-lock.json', 'site/package-lock.json', 'Dockerfile', '.github/workflows'])
    expect(existsSync(join(root, file)), file).toBe(true);
  for (const { schedule } of updates) expect(schedule).toEqual({ interval: 'weekly' });
});

test('A release is checked, published with provenance, and then described with its bill of materials', () => {
  const { check, publish, notes } = release.jobs;
  expect([check?.needs, publish?.needs, notes?.needs]).toEqual([undefined, 'check', ['publish', 'sign']]);
  const checks = commandsOf(check);
  expect(checks.indexOf('npm run dev -- release:check "$GITHUB_REF_NAME"')).toBeGreaterThan(-1);
  expect(checks.indexOf('bash .ci/run')).toBeGreaterThan(
    checks.indexOf('npm run dev -- release:check "$GITHUB_REF_NAME"'),
  );
  expect(commandsOf(publish).at(-1)).toBe('npm publish --provenance --access public');
  const withToken = Object.values(release.jobs).flatMap((job) => job.steps.filter(({ env }) => env?.NODE_AUTH_TOKEN));
  expect(withToken).toEqual([publish?.steps.at(-1)]);
  expect(commandsOf(notes)).toContain('npm run --silent dev -- sbom > feedferry.cdx.json');
  expect(commandsOf(notes).at(-1)).toMatch(/^gh release create .* feedferry\.cdx\.json$/);
});

test('The image of a release is built for two architectures, and signed with provenance and bill of materials', () => {
  const { image, sign } = release.jobs;
  expect([image?.needs, sign?.needs]).toEqual(['check', 'image']);
  expect(image?.strategy?.matrix.include.map(({ arch }) => arch)).toEqual(['amd64', 'arm64']);
  const attests = sign?.steps.filter(({ uses }) => uses?.startsWith('actions/attest@')) ?? [];
  expect(attests.map((step) => step.with)).toEqual([
    expect.objectContaining({ 'push-to-registry': true }),
    expect.objectContaining({ 'push-to-registry': true, 'sbom-path': 'feedferry.cdx.json' }),
  ]);
});

test('The commands for the image name one version in lower case, and give no token as an argument', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const token = 'secret-token';
  const said = (...args: string[]) =>
    spawnSync('bash', ['scripts/release-image.sh', ...args], {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        DOCKER: 'echo',
        GITHUB_REPOSITORY: 'Owner/Name',
        GITHUB_ACTOR: 'owner',
        GITHUB_SHA: 'abc',
        GITHUB_TOKEN: token,
      },
    });
  const [built, joined] = [said('build', 'arm64'), said('join')];
  expect([built.status, joined.status]).toEqual([0, 0]);
  expect(built.stdout).toContain(`push ghcr.io/owner/name:${version}-arm64\n`);
  expect(joined.stderr).toContain(`ghcr.io/owner/name:${version}-amd64 ghcr.io/owner/name:${version}-arm64`);
  expect(joined.stdout).toMatch(/^name=ghcr\.io\/owner\/name\ndigest=.+\n$/);
  for (const { stdout, stderr } of [built, joined]) expect(stdout + stderr).not.toContain(token);
});
