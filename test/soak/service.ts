import { join } from 'node:path';
import { type Child, killHard, startFeedferry } from '../crash/child.ts';
import type { Place } from '../crash/place.ts';
import { endsWithin, until } from '../crash/until.ts';
import { parseMetrics, type Scrape } from '../support/prometheus.ts';

const READY_MS = 120_000;
/** Longer than a graceful stop may take, on a busy machine too. */
const GRACE_MS = 30_000;

/** A feedferry that runs until it is stopped. */
export interface Service {
  name: 'start' | 'worker';
  child: Child;
  /** Of its HTTP server, without a slash at its end. */
  url: string;
}

export async function startService(name: Service['name'], { dir, variables }: Place): Promise<Service> {
  const child = startFeedferry([name], join(dir, 'logs', name), { ...variables, LOG_LEVEL: 'info', HTTP_PORT: '0' });
  const url = await until(`${name} logs its address`, READY_MS, () => {
    if (!child.isRunning()) throw new Error(`${name} has ended: ${child.stderr()}`);
    return /"health":"([^"]+)"/.exec(child.stderr())?.[1];
  });
  return { name, child, url };
}

export async function scrape({ url }: Service): Promise<Scrape> {
  const response = await fetch(`${url}/metrics`);
  return parseMetrics(await response.text());
}

/** Stops a service, and kills it if it does not end. Returns how it ended. */
export async function stopService({ name, child }: Service) {
  child.kill('SIGTERM');
  if (!(await endsWithin(child, GRACE_MS))) await killHard(child);
  const { exitCode } = await child.exited;
  return { name, exitCode, stdout: child.stdout(), stderr: child.stderr() };
}
