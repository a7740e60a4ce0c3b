import { spawnSync } from 'node:child_process';

const OPTIONS = ['--disable-warning=ExperimentalWarning'];
/** Reports the peak in kB on file descriptor 3. It needs no file, and so no types to be stripped, which would count as well. */
const REPORT_PEAK = `data:text/javascript,
process.on('exit', () => {
  const { readFileSync, writeSync } = process.getBuiltinModule('node:fs');
  const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '';
  writeSync(3, /^VmHWM:\\s*(\\d+) kB$/m.exec(status)?.[1] ?? String(process.resourceUsage().maxRSS));
});`;

/** The user and system CPU time of a node process from its start to its end, in ms. */
export function cpuMs(args: readonly string[], variables: Readonly<Record<string, string>>): number {
  const script = 'TIMEFORMAT="%U %S"; time "$@" > /dev/null 2>&1';
  const { stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...OPTIONS, ...args], {
    env: environment(variables),
    encoding: 'utf8',
  });
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number);
  return (user + system) * 1000;
}

/** The largest resident memory of a node process, in MB. */
export function peakMb(args: readonly string[], variables: Readonly<Record<string, string>>): number {
  const { output } = spawnSync(process.execPath, ['--import', REPORT_PEAK, ...OPTIONS, ...args], {
    env: environment(variables),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  return (Number(output[3]) * 1024) / 1e6;
}

function environment(variables: Readonly<Record<string, string>>) {
  return { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: 'C', ...variables };
}
