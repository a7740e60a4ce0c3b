import { setTimeout as sleep } from 'node:timers/promises';
import type { CmsProcess } from '../cms-process.ts';
import { writeEvents } from '../event-sync.ts';
import { FIRST } from '../many-syncs.ts';
import type { LargeSite } from './large-site.ts';
import { startViewers } from './viewers-process.ts';

interface RunsOptions {
  site: LargeSite;
  cms: CmsProcess;
  records: number;
  viewers: number;
  rounds: number;
}

/** Updates all records of a sync again and again, by turns alone and while people look. */
export async function measureRuns(url: string, { site, cms, records, viewers, rounds }: RunsOptions) {
  const [alone, watched, pages]: [number[], number[], number[]] = [[], [], []];
  // The titles of all records change from run to run.
  let nth = 0;
  await updateAll();
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await updateAll());
    const seen: number[][] = [];
    watched.push(
      await updateAll(async (run) => {
        const stop = startViewers(url, run, viewers);
        return async () => void seen.push(await stop());
      }),
    );
    pages.push(...seen.flat());
  }
  const sorted = pages.toSorted((one, other) => one - other);
  const share = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return { alone, watched, pages: [share(0.5), share(0.99)] };

  /** Returns the records that it delivered per second. */
  async function updateAll(look?: (run: string) => Promise<() => Promise<void>>): Promise<number> {
    nth += 1;
    writeEvents(site.feed, records, nth % 2 === 0 ? 1 : undefined);
    await cms.traffic();
    const run = await begin(url);
    const stopLooking = await look?.(run);
    await untilEnded(url, run);
    await stopLooking?.();
    const { writes, writeSeconds } = await cms.traffic();
    return writes / writeSeconds;
  }
}

async function begin(url: string): Promise<string> {
  const body = JSON.stringify({ sync: FIRST });
  const response = await fetch(`${url}/api/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { run } = (await response.json()) as { run?: string };
  if (run === undefined) throw new Error(`The run did not begin: ${response.status}`);
  return run;
}

async function untilEnded(url: string, run: string): Promise<void> {
  for (;;) {
    const { status } = (await (await fetch(`${url}/api/runs/${run}`)).json()) as { status: string };
    if (status !== 'running' && status !== 'planned') return;
    await sleep(500);
  }
}
