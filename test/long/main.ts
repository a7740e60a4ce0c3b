// npm run dev -- test:long [--minutes 60] [--only crash]: plays the long forms of the suites one after the other, and ends with 1 if one
// of them fails. The minutes are shared by all but the random tests, which take about five minutes more.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

interface Part {
  name: string;
  program: string;
  args: string[];
}

const root = join(import.meta.dirname, '../..');

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, only: { type: 'string', multiple: true } },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes is a number.');
const share = (of: number) => ['--minutes', (minutes * of).toFixed(2)];
const parts: Part[] = [
  { name: 'crash', program: 'test/crash/main.ts', args: share(0.4) },
  { name: 'simulate', program: 'test/simulation/main.ts', args: share(0.2) },
  { name: 'verify', program: 'test/verify/main.ts', args: share(0.2) },
  // On two combinations of engines, each for that long.
  { name: 'soak', program: 'test/soak/main.ts', args: share(0.1) },
  // The tests that `rounds` repeats more often.
  {
    name: 'random',
    program: 'node_modules/vitest/vitest.mjs',
    args: ['related', '--run', '--testTimeout=1800000', 'test/support/long.ts'],
  },
];
const chosen = parts.filter(({ name }) => values.only?.includes(name) ?? true);
if (chosen.length === 0) throw new Error(`The parts are ${parts.map(({ name }) => name).join(', ')}.`);

const results: string[] = [];
for (const part of chosen) {
  console.log(`\n== ${part.name}`);
  const startedAt = performance.now();
  const isPassed = await play(part);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  results.push(`${part.name.padEnd(8)}  ${isPassed ? 'passed' : 'FAILED'}  ${seconds} s`);
  if (!isPassed) process.exitCode = 1;
}
console.log(`\n${results.join('\n')}`);

/** Runs a program to its end. A signal to this process ends both. */
async function play({ program, args }: Part): Promise<boolean> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, program), ...args], {
    ...{ cwd: root, stdio: 'inherit', env: { ...process.env, TEST_LONG: '1' } },
  });
  const end = async (signal: NodeJS.Signals, number: number) => {
    child.kill(signal);
    await once(child, 'exit');
    process.exit(128 + number);
  };
  const onInterrupt = () => void end('SIGINT', 2);
  const onTerminate = () => void end('SIGTERM', 15);
  process.once('SIGINT', onInterrupt).once('SIGTERM', onTerminate);
  const [exitCode] = await once(child, 'exit');
  process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
  return exitCode === 0;
}
