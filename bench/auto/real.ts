import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createCmsClient } from '../../src/cms/client.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { createGates } from '../../src/limits/request-gate.ts';
import type { Profile } from './profiles.ts';
import type { Outcome } from './simulate.ts';

export interface RealSetting {
  /** A fixed number of requests in flight; absent: it is found. */
  fixed?: number;
  most: number;
  /** How long requests are sent, and how much of the end is measured, in ms. */
  forMs: number;
  measuredMs: number;
}

const SERVER = join(import.meta.dirname, '../auto-server.ts');
const token = 'token';
const log = pino({ level: 'silent' });

/** Sends requests to an HTTP server with this profile, through gates that share one ledger. */
export async function measure(
  profile: Profile,
  { fixed, most, forMs, measuredMs }: RealSetting,
): Promise<Omit<Outcome, 'changes'>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'feedferry-bench-'));
  const server = fork(SERVER, [profile.name], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const [port] = await once(server, 'message');
  const baseUrl = `http://127.0.0.1:${port}`;
  const ledger = await openLedger({ dataDir });
  const target = {
    ...{ baseUrl, token, timezone: 'UTC', allowHttp: false, maxAttempts: 5, timeoutMs: 30_000, lookupAfterMs: 30_000 },
    ...{ concurrency: fixed ?? most, adaptsConcurrency: fixed === undefined, backoffMs: 2_000, maxBackoffMs: 300_000 },
  };
  const tookMs: number[] = [];
  const count = { well: 0, refused: 0, all: 0 };
  const startedAt = performance.now();
  const ends = startedAt + forMs;
  const opened = Array.from({ length: profile.processes ?? 1 }, () => {
    const gates = createGates(ledger, { targetId: 'bench', target, log });
    const onResponse = ({ status, durationMs }: { status?: number; durationMs: number }) => {
      if (performance.now() < ends - measuredMs) return;
      count.all += 1;
      if (status === 200) count.well += 1;
      if (status === 429) count.refused += 1;
      else tookMs.push(durationMs / (profile.idleMs?.(performance.now() - startedAt) ?? 1));
    };
    const cms = createCmsClient({ baseUrl, token, concurrency: most, retries: 0, gate: gates.deliveries, onResponse });
    return { gates, cms };
  });
  await Promise.all(opened.flatMap(({ cms }) => Array.from({ length: most }, () => sendUntil(ends, cms))));
  const { pace } = await ledger.targets.look('bench');
  for (const { cms, gates } of opened) {
    await cms.close();
    await gates.close();
  }
  await ledger.close();
  server.disconnect();
  rmSync(dataDir, { recursive: true, force: true });
  const p95 = tookMs.toSorted((one, other) => one - other)[Math.floor(tookMs.length * 0.95)] ?? Number.NaN;
  return { perSecond: (count.well * 1000) / measuredMs, refused: count.refused / count.all, p95, pace };
}

/** What fails is not repeated: the next request is as good. */
async function sendUntil(ends: number, cms: ReturnType<typeof createCmsClient>): Promise<void> {
  while (performance.now() < ends)
    await cms
      .events()
      .get(1)
      .catch(() => {});
}
