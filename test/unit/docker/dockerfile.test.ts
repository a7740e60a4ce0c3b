import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliCommands } from './cli-commands.ts';
import { healthCheckOf, readStages, type Stage } from './dockerfile.ts';

const root = join(import.meta.dirname, '../../..');
const stages = readStages();
const build = stageNamed('build');
const runtime = stageNamed('runtime');

describe('The Dockerfile', () => {
  test('compiles in one stage and runs in another, which is the last', () => {
    expect(stages.map(({ name }) => name)).toEqual(['build', 'runtime']);
    expect(valuesOf(build, 'RUN')).toEqual([
      expect.stringMatching(/^npm ci /),
      'npm run build && npm run --silent dev -- sbom > feedferry.cdx.json',
    ]);
  });

  test('runs on one published image, whose digest it names, with the version of Node that runs the tests', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const bases = stages.map(({ base }) => base);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^node:[\d.]+-bookworm-slim@sha256:[\da-f]{64}$/);
    expect(bases[0]).toContain(`node:${devDependencies.node}-`);
  });

  test('installs what runs, as the lockfile has it, and no tools', () => {
    expect(valuesOf(runtime, 'RUN').slice(1)).toEqual([
      expect.stringMatching(/^npm ci --omit=dev --ignore-scripts .*&& npm cache clean --force$/),
    ]);
  });

  test('contains the license and the bill of materials', () => {
    expect(valuesOf(runtime, 'COPY')).toEqual(
      expect.arrayContaining(['LICENSE ./', '--from=build /app/feedferry.cdx.json ./']),
    );
  });

  test('copies only files that exist in the repository or in an earlier stage', () => {
    const assets = ['/app/src/console/assets'];
    const made = new Map([['build', ['/app/dist', '/app/feedferry.cdx.json', ...assets]]]);
    for (const stage of stages) {
      for (const rest of valuesOf(stage, 'COPY')) {
        const [, from] = /^--from=(\w+)/.exec(rest) ?? [];
        const sources = rest
          .replace(/^--\S+\s+/, '')
          .split(/\s+/)
          .slice(0, -1);
        expect(sources.length).toBeGreaterThan(0);
        for (const source of sources) {
          if (from) expect(made.get(from)).toContain(source);
          else expect({ source, exists: existsSync(join(root, source)) }).toEqual({ source, exists: true });
        }
      }
    }
  });

  test('sends Docker exactly the files that it copies', () => {
    const [everything, ...patterns] = readFileSync(join(root, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(everything).toBe('*');
    const sent = patterns.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    const copied = stages
      .flatMap((stage) => valuesOf(stage, 'COPY'))
      .filter((rest) => !rest.startsWith('--from'))
      .flatMap((rest) => rest.split(/\s+/).slice(0, -1));
    expect([...new Set(copied)].sort()).toEqual([...sent].sort());
  });

  test('runs as a user other than root, from /app, with its data in /data', () => {
    expect(valuesOf(runtime, 'USER')).toEqual(['node']);
    expect(valuesOf(runtime, 'WORKDIR')).toEqual(['/app']);
    expect(valuesOf(runtime, 'VOLUME')).toEqual(['/data']);
    expect(environment()).toMatchObject({ NODE_ENV: 'production', FEEDFERRY_DATA: '/data', HTTP_PORT: '8420' });
    expect(valuesOf(runtime, 'RUN')[0]).toBe('mkdir /data && chown node:node /data');
    const order = runtime.instructions.map(({ name }) => name);
    // What root makes after VOLUME is lost; what comes after USER cannot be made.
    expect(order.indexOf('USER')).toBeGreaterThan(order.lastIndexOf('RUN'));
    expect(order.indexOf('VOLUME')).toBeGreaterThan(order.lastIndexOf('RUN'));
  });

  test('starts the program that npm installs as feedferry, with a command that exists', () => {
    const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const entrypoint = JSON.parse(firstOf(runtime, 'ENTRYPOINT')) as string[];
    expect(entrypoint).toEqual(['node', '--disable-warning=ExperimentalWarning', `/app/${bin.feedferry}`]);
    expect(cliCommands).toContain(JSON.parse(firstOf(runtime, 'CMD'))[0]);
  });

  test.each([
    ['succeeds where /healthz answers 200', 200, 0],
    ['fails where it answers 503', 503, 1],
  ])('has a health check that %s', async (_, status, exitCode) => {
    const asked: Array<string | undefined> = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(status).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await runHealthCheck(port)).toBe(exitCode);
    server.close();
    await once(server, 'close');
    expect(asked).toEqual(['/healthz']);
    expect(await runHealthCheck(port)).toBe(1); // the server has closed
  });
});

async function runHealthCheck(port: number): Promise<number> {
  const [, program, ...args] = healthCheckOf(stages);
  expect(program).toBe('node');
  const child = spawn(process.execPath, args, { env: { HTTP_PORT: String(port) } });
  const [code] = await once(child, 'exit');
  return code;
}

function environment(): Record<string, string> {
  const pairs = valuesOf(runtime, 'ENV').flatMap((rest) => rest.split(/\s+/));
  return Object.fromEntries(pairs.map((pair) => pair.split('=')));
}

function stageNamed(name: string): Stage {
  const stage = stages.find((candidate) => candidate.name === name);
  if (!stage) throw new Error(`the Dockerfile has no stage ${name}`);
  return stage;
}

function valuesOf(stage: Stage, name: string): string[] {
  return stage.instructions.filter((instruction) => instruction.name === name).map(({ rest }) => rest);
}

function firstOf(stage: Stage, name: string): string {
  const [value] = valuesOf(stage, name);
  if (value === undefined) throw new Error(`the stage ${stage.name} has no ${name}`);
  return value;
}
