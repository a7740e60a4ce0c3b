import { retryDelay } from '../../src/core/retry.ts';
import type { Pace } from '../../src/ledger/target/target-state.ts';
import { FIRST_PACE } from '../../src/limits/next-pace.ts';
import { createPaceFinder } from '../../src/limits/pace-finder.ts';
import type { Profile, Reply } from './profiles.ts';

/** What a simulated run came to, from `from` to its end. Times in ms. */
export interface Outcome {
  /** Requests per second that succeeded. */
  perSecond: number;
  /** Share of the requests that were refused (429). */
  refused: number;
  /** The 95th percentile of response times, as a multiple of the idle one. */
  p95: number;
  /** At the end. */
  pace: Pace | undefined;
  /** When the pace was changed, and the limit from then on. */
  changes: Array<{ at: number; pace: Pace }>;
}

export interface Setting {
  /** A fixed number of requests in flight; absent: it is found. */
  fixed?: number;
  most: number;
  /** In ms. */
  from: number;
  until: number;
  start?: Pace;
  seed?: number;
}

const POLICY = { maxAttempts: 5, backoffMs: 2_000, maxBackoffMs: 300_000 };
/** How late another process sees a change. */
const LAG_MS = 200;
const FAILURES = 5;
const SLOW_START_STEP_MS = 500;

/** Simulates one or more processes that send requests to a CMS, with pauses as src/limits has them. Time is virtual. */
export function simulate(
  profile: Profile,
  { fixed, most, from, until, start = FIRST_PACE, seed = 1 }: Setting,
): Outcome {
  const random = dice(seed);
  const cms = profile.cms();
  const events: Array<{ at: number; run: () => void }> = [];
  const later = (afterMs: number, run: () => void) => events.push({ at: now + afterMs, run });
  let now = 0;
  let pace = start;
  let inFlight = 0;
  let backlog = profile.bursts ? 0 : Number.POSITIVE_INFINITY;
  let pause: { until: number; count: number; probing: boolean } | undefined;
  let resumedAt: number | undefined;
  let epoch = 0;
  const tookMs: number[] = [];
  const changes: Outcome['changes'] = [];
  const totals = { well: 0, refused: 0, all: 0 };
  const processes = Array.from({ length: profile.processes ?? 1 }, (_, index) => createProcess(index));
  addWork();
  for (const process of processes) process.send();
  while (events.length > 0) {
    const next = events.reduce((first, event) => (event.at < first.at ? event : first));
    events.splice(events.indexOf(next), 1);
    if (next.at > until) break;
    now = next.at;
    next.run();
  }
  const idle = profile.idleMs;
  return {
    perSecond: (totals.well * 1000) / (until - from),
    refused: totals.refused / totals.all,
    p95: idle ? percentile(tookMs, 0.95) : 1,
    pace,
    changes,
  };

  function addWork(): void {
    if (!profile.bursts) return;
    backlog += profile.bursts.requests;
    later(profile.bursts.everyMs, () => {
      addWork();
      for (const process of processes) process.send();
    });
  }

  function createProcess(index: number) {
    const finder = createPaceFinder(most, () => () => 0);
    let seen = pace;
    let inUse = 0;
    let failures = 0;
    let nextAt = 0;
    let isWaking = false;
    const process = {
      send,
      follow: (next: Pace) => {
        seen = next;
        send();
      },
    };
    return process;

    function total(): number {
      const limit = fixed ?? Math.min(most, seen.limit);
      if (resumedAt === undefined) return limit;
      return Math.min(limit, 2 ** Math.floor((now - resumedAt) / SLOW_START_STEP_MS));
    }

    function permits(): number {
      const count = profile.processes ?? 1;
      return total() < count
        ? index === Math.floor(now / 5_000) % count
          ? total()
          : 0
        : Math.floor(total() / count) + (index < total() % count ? 1 : 0);
    }

    function wakeAfter(ms: number): void {
      if (isWaking) return;
      isWaking = true;
      later(ms, () => {
        isWaking = false;
        send();
      });
    }

    function send(): void {
      if (pause) test(pause);
      while (!pause && backlog > 0 && inUse < permits() && now >= nextAt) {
        nextAt = Math.max(nextAt, now - 50) + intervalMs();
        request(false);
      }
      if (!pause && inUse < permits()) wakeAfter(Math.max(nextAt - now, backlog > 0 ? 1 : 100));
    }

    /** After a pause, one request tests the CMS. */
    function test(current: NonNullable<typeof pause>): void {
      if (current.probing || now < current.until || inFlight > 0) {
        wakeAfter(Math.max(50, current.until - now));
        return;
      }
      current.probing = true;
      nextAt = now + intervalMs();
      request(true);
    }

    function intervalMs(): number {
      return fixed !== undefined || seen.perSecond === undefined
        ? 0
        : (1000 / seen.perSecond) * (total() / Math.max(1, permits()));
    }

    function request(isProbe: boolean): void {
      backlog -= 1;
      inUse += 1;
      inFlight += 1;
      const sentAt = now;
      const sentIn = epoch;
      const reply = cms({ at: now, inFlight, random });
      later(reply.tookMs, () => {
        const isFull = inUse >= permits();
        const isPaced = !isFull && now < nextAt;
        inUse -= 1;
        inFlight -= 1;
        count(sentAt, reply);
        if (fixed === undefined) {
          const health = reply.status === 200 ? 'well' : reply.status === 429 ? 'busy' : 'unwell';
          const seenRequest = {
            sentAt,
            endedAt: now,
            health,
            operation: 'x',
            tookMs: reply.tookMs,
            isFull,
            isPaced,
          } as const;
          const next = finder.see(seenRequest, {
            pace: seen,
            now,
            share: total() === 0 ? 0 : permits() / total(),
            isWhole: total() >= Math.min(most, seen.limit),
            ...(resumedAt === undefined ? {} : { resumedForMs: now - resumedAt }),
          });
          if (next && seen === pace) change(next);
        }
        judge(reply, sentIn, isProbe);
        for (const each of processes) each.send();
      });
    }

    function change(next: Pace): void {
      pace = next;
      changes.push({ at: now, pace });
      seen = next;
      for (const other of processes) if (other !== process) later(LAG_MS, () => other.follow(pace));
    }

    function judge({ status, retryAfterMs }: Reply, sentIn: number, isProbe: boolean): void {
      if (status === 200) {
        failures = 0;
        if (isProbe) [pause, resumedAt, epoch] = [undefined, now, epoch + 1];
        return;
      }
      if (sentIn !== epoch && !isProbe) return;
      const isBusy = status === 429 || retryAfterMs !== undefined;
      if (!isBusy) failures += 1;
      if (!isBusy && !isProbe && failures < FAILURES) return;
      failures = 0;
      const pauses = (pause?.count ?? 0) + 1;
      pause = { until: now + (retryAfterMs ?? retryDelay(pauses, POLICY, { random })), count: pauses, probing: false };
      epoch += 1;
    }
  }

  function count(sentAt: number, { status, tookMs: ms }: Reply): void {
    if (now < from) return;
    totals.all += 1;
    if (status === 200) totals.well += 1;
    if (status === 429) totals.refused += 1;
    if (status !== 429) tookMs.push(ms / (profile.idleMs?.(sentAt) ?? 1));
  }
}

function percentile(values: number[], part: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN;
}

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
