// npm run dev -- bench:start [--rounds N] [--package]: what the start of a command costs, beside `node -e 0`. Exits 1 if a target is
// missed. Needs bash, which counts the CPU time of a process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { buildProgram } from '../scripts/build-program.ts';
import { installedPackage } from './installed-package.ts';
import { cpuMs, peakMb } from './start-usage.ts';
import { median } from './table.ts';

/** The most CPU time of each command, as a multiple of that of `node -e 0`; undefined: none is set. */
const COMMANDS: ReadonlyArray<{ args: string[]; most?: number }> = [
  { args: ['--help'], most: 2.5 },
  { args: ['validate'], most: 6 },
  { args: ['preview', 'museum-events', '--limit', '1'] },
  { args: ['status'] },
  { args: ['sync', 'museum-events'] },
];
/** Of the installed package. */
const PACKAGE = { mostMb: 60, mostPackages: 130 };

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, package: { type: 'boolean', default: false } },
});
const dir = mkdtempSync(join(tmpdir(), 'feedferry-bench-'));
buildProgram();
const program = join(root, 'dist/src/cli/main.js');
const sandbox = spawn(process.execPath, [program, 'sandbox', '--memory', '--port', '0', '--json'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
try {
  const [line] = (await once(createInterface(sandbox.stdout), 'line')) as [string];
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const areFast = reportCommands(Number(values.rounds), { CMS_BASE_URL: url, CMS_API_TOKEN: token });
  const isSmall = !values.package || reportPackage();
  process.exitCode = areFast && isSmall ? 0 : 1;
} finally {
  sandbox.kill();
  rmSync(dir, { recursive: true });
}

/** @returns whether all targets are met */
function reportCommands(rounds: number, cms: Record<string, string>): boolean {
  const table = new Table({ head: ['command', 'CPU ms', '× node -e 0', 'at most', 'peak MB'], style: { head: [] } });
  let areMet = true;
  const variables = { ...cms, FEEDFERRY_CONFIG: join(root, 'examples'), FEEDFERRY_DATA: dir };
  for (const { args, most } of [{ args: [], most: undefined }, ...COMMANDS]) {
    const command = args.length > 0 ? [program, ...args] : ['-e', '0'];
    // The first run of a sync creates everything, and writes the cache of compiled code.
    cpuMs(command, variables);
    const pairs = Array.from({ length: rounds }, () => [cpuMs(['-e', '0'], {}), cpuMs(command, variables)] as const);
    const ms = median(pairs.map(([, own]) => own));
    const ratio = ms / median(pairs.map(([bare]) => bare));
    areMet &&= most === undefined || ratio <= most;
    const name = args.length > 0 ? args.join(' ') : 'node -e 0';
    table.push([name, Math.round(ms), ratio.toFixed(1), most ?? '', Math.round(peakMb(command, variables))]);
  }
  process.stdout.write(`${table.toString()}\n`);
  return areMet;
}

/** @returns whether both targets are met */
function reportPackage(): boolean {
  const { mb, packages } = installedPackage(root, dir);
  process.stdout.write(`installed: ${Math.round(mb)} MB (at most ${PACKAGE.mostMb}), `);
  process.stdout.write(`${packages} packages (at most ${PACKAGE.mostPackages})\n`);
  return mb <= PACKAGE.mostMb && packages <= PACKAGE.mostPackages;
}
