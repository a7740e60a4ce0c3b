import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { TargetConfig } from '../../../src/config/types.ts';
import { CodedError } from '../../../src/core/errors.ts';
import type { Gate, RequestEnd } from '../../../src/core/gate.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { lookAtTarget } from '../../../src/limits/look-at-target.ts';
import { createGates, type Gates } from '../../../src/limits/request-gate.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';
import { setTargetClock } from '../../support/target-clock.ts';

const log = pino({ level: 'silent' });
const WELL: RequestEnd = { health: 'well' };
const UNWELL: RequestEnd = { health: 'unwell', error: new CodedError('FF_CMS_SERVER', 'It failed.') };

const TARGET: TargetConfig = {
  baseUrl: 'https://cms.example.edu',
  token: 'token',
  timezone: 'UTC',
  concurrency: 4,
  adaptsConcurrency: false,
  maxAttempts: 3,
  backoffMs: 300,
  maxBackoffMs: 600,
  timeoutMs: 1000,
  lookupAfterMs: 100,
  allowHttp: false,
};

let targetIds = 0;

// Limits, pauses and stops of a target, as several processes keep them, on SQLite and on PostgreSQL. The tests wait most of the
// time, so they do it together.
describe.concurrent.each(ledgerEngines.filter(hasEngine))('Gates on %s', (engine) => {
  const opened = withLedger(engine);

  /** The processes of a test. */
  function openProcesses() {
    const open: Gates[] = [];
    let targetId = '';
    return { gatesOf, anotherOf, stateFor, id: () => targetId, [Symbol.asyncDispose]: close };

    /** Gates of as many processes to one new target. */
    function gatesOf(processes: number, target: Partial<TargetConfig> = {}, replyMs = 0): Gates[] {
      targetIds += 1;
      targetId = `site ${targetIds}`;
      const ledgers = [opened.ledger, opened.second].map((ledger) => withLateReplies(ledger, replyMs));
      return Array.from({ length: processes }, (_, index) => gatesFor(ledgers[index % 2]!, target));
    }

    /** Gates of another process to the target of the last gates. */
    function anotherOf(target: Partial<TargetConfig>): Gates {
      return gatesFor(opened.second, target);
    }

    /** The state of the target of the last gates. */
    async function stateFor(target: Partial<TargetConfig> = {}): Promise<string> {
      return (await lookAtTarget(targetId, { ...TARGET, ...target }, opened.second)).state;
    }

    function gatesFor(ledger: Pick<Ledger, 'targets'>, target: Partial<TargetConfig>): Gates {
      const gates = createGates(ledger, { targetId, target: { ...TARGET, ...target }, log });
      open.push(gates);
      return gates;
    }

    async function close(): Promise<void> {
      await Promise.all(open.map((gates) => gates.close()));
    }
  }

  async function request({ enter }: Gate, end: RequestEnd = WELL, takesMs = 0): Promise<number> {
    const passage = await enter();
    const at = performance.now();
    if (takesMs > 0) await sleep(takesMs);
    await passage.leave(end);
    return at;
  }

  test('All processes together keep the limit on requests in flight, and each has its share', async () => {
    await using processes = openProcesses();
    const gates = processes.gatesOf(3);
    let inFlight = 0;
    let peak = 0;
    const sent = gates.map(() => 0);
    const one = async (index: number) => {
      while (Math.min(...sent) < 100) {
        const passage = await gates[index]!.deliveries.enter();
        inFlight += 1;
        peak = Math.max(peak, inFlight);
        sent[index] = (sent[index] ?? 0) + 1;
        await sleep(5);
        inFlight -= 1;
        await passage.leave(WELL);
      }
    };
    await Promise.all(gates.flatMap((_, index) => [one(index), one(index), one(index)]));
    expect(peak).toBe(4);
  });

  test('The gate shows the requests in flight and whether the target accepts requests', async () => {
    await using processes = openProcesses();
    const [one, other] = processes.gatesOf(2);
    const passages = [await one!.deliveries.enter(), await one!.checks.enter()];
    expect([one!.inFlight(), other!.inFlight()]).toEqual([2, 0]);
    expect(await processes.stateFor()).toBe('open');
    await passages[0]!.leave({ health: 'busy', retryAfterMs: 60_000 });
    expect(one!.inFlight()).toBe(1);
    expect(await processes.stateFor()).toBe('paused');
    await passages[1]!.leave(WELL);
    expect(one!.inFlight()).toBe(0);

    const [refused] = processes.gatesOf(1);
    const error = new CodedError('FF_CMS_UNAUTHORIZED', 'No.');
    await request(refused!.deliveries, { health: 'closed', error });
    expect(await processes.stateFor()).toBe('stopped');
    expect(await processes.stateFor({ token: 'another' })).toBe('open');
  });

  test.each([0, 100])(
    'All processes together keep the limit on the rate if ledger replies take up to %i ms',
    async (replyMs) => {
      await using processes = openProcesses();
      const gates = processes.gatesOf(3, { requestsPerSecond: 40, concurrency: 40 }, replyMs);
      const times = await Promise.all(Array.from({ length: 75 }, (_, index) => request(gates[index % 3]!.deliveries)));
      const busiest = mostWithin(1000, times);
      expect(busiest).toBeLessThanOrEqual(40);
    },
  );

  test('Consecutive processes keep the limit on the rate', async () => {
    await using processes = openProcesses();
    const [first] = processes.gatesOf(1, { requestsPerSecond: 20, concurrency: 20 });
    const times = await Promise.all(Array.from({ length: 15 }, () => request(first!.deliveries)));
    await first!.close();
    const second = processes.anotherOf({ requestsPerSecond: 20, concurrency: 20 });
    times.push(...(await Promise.all(Array.from({ length: 15 }, () => request(second.deliveries)))));
    expect(mostWithin(1000, times)).toBeLessThanOrEqual(20);
  });

  test('A rate may be fractional', async () => {
    await using processes = openProcesses();
    const gates = processes.gatesOf(2, { requestsPerSecond: 2.5 });
    const times = await Promise.all(Array.from({ length: 6 }, (_, index) => request(gates[index % 2]!.deliveries)));
    expect(mostWithin(800, times)).toBe(2);
  });

  test('Processes take turns if the rate is too low to be shared', async () => {
    await using processes = openProcesses();
    const slow = processes.gatesOf(2, { requestsPerSecond: 0.8 });
    const turns = await Promise.all([0, 1, 1].map((index) => request(slow[index]!.deliveries)));
    expect(mostWithin(1250, turns)).toBe(1);
  });

  test('A pause that the target asks for holds for all processes, and requests resume slowly', async () => {
    await using processes = openProcesses();
    const [one, other] = processes.gatesOf(2);
    const pausedAt = performance.now();
    await request(one!.deliveries, { health: 'busy', retryAfterMs: 700 });
    let inFlight = 0;
    let early = 0;
    const times = await Promise.all(
      [one!, other!].flatMap(({ deliveries }) =>
        Array.from({ length: 4 }, async () => {
          const passage = await deliveries.enter();
          const at = performance.now();
          inFlight += 1;
          if (at - pausedAt < 1_100) early = Math.max(early, inFlight);
          await sleep(60);
          inFlight -= 1;
          await passage.leave(WELL);
          return at;
        }),
      ),
    );
    expect(Math.min(...times) - pausedAt).toBeGreaterThanOrEqual(690);
    // One for each process, in the first half second.
    expect(early).toBeLessThanOrEqual(2);
  });

  test('The gate does not wait for a long pause', async () => {
    await using processes = openProcesses();
    const [one, other] = processes.gatesOf(2);
    await request(one!.deliveries, { health: 'unwell', retryAfterMs: 600_000 });
    await expect(request(other!.deliveries)).rejects.toMatchObject({
      code: 'FF_CMS_PAUSED',
      afterMs: expect.toSatisfy((ms: number) => ms > 500_000 && ms <= 600_000),
    });
    await expect(request(other!.checks)).rejects.toMatchObject({ code: 'FF_CMS_PAUSED' });
  });

  test('An examination ends a pause that the target asked for, if the target is well', async () => {
    await using processes = openProcesses();
    const [one, other] = processes.gatesOf(2);
    await request(one!.deliveries, { health: 'busy', retryAfterMs: 600_000 });
    await request(other!.examinations, { health: 'busy', retryAfterMs: 600_000 });
    await expect(request(one!.deliveries)).rejects.toMatchObject({ code: 'FF_CMS_PAUSED' });
    await request(other!.examinations);
    await request(one!.deliveries);
  });

  test('Requests do not wait until the clock of the ledger has caught up after it was set back', async () => {
    await using processes = openProcesses();
    const [one, other] = processes.gatesOf(2);
    await request(one!.deliveries, { health: 'busy', retryAfterMs: 2_000 });
    await setTargetClock(opened, processes.id(), -300_000);
    const askedAt = performance.now();
    await request(other!.deliveries, { health: 'busy', retryAfterMs: 500 });
    expect((await request(one!.deliveries)) - askedAt).toBeGreaterThanOrEqual(500);
  });

  test('Consecutive failures open the circuit, and after a pause one request probes while the others wait', async () => {
    await using processes = openProcesses();
    const [one, other] = processes.gatesOf(2);
    const openedAt = performance.now();
    for (let failure = 0; failure < 5; failure += 1) await request(one!.deliveries, UNWELL);
    const probe = await Promise.race([one!.deliveries.enter(), other!.deliveries.enter()]);
    const probedAt = performance.now();
    expect(probedAt - openedAt).toBeGreaterThanOrEqual(140);
    // The other one is still waiting; the probe says that all is well.
    await sleep(200);
    await probe.leave(WELL);
    expect(await request(other!.deliveries)).toBeGreaterThanOrEqual(probedAt + 200);
  });

  test('A failure between successes does not open the circuit', async () => {
    await using processes = openProcesses();
    const [gate] = processes.gatesOf(1);
    for (let count = 0; count < 12; count += 1) await request(gate!.deliveries, count % 3 === 0 ? WELL : UNWELL);
    expect(await opened.ledger.targets.look(processes.id())).not.toHaveProperty('pause');
  });

  test('Repeated pauses stop the target, and a successful check opens it again at once', async () => {
    await using processes = openProcesses();
    const [one, other] = processes.gatesOf(2);
    for (let failure = 0; failure < 5; failure += 1) await request(one!.deliveries, UNWELL);
    await request(one!.deliveries, UNWELL);
    await request(other!.deliveries, UNWELL);
    await expect(request(one!.deliveries)).rejects.toMatchObject({ code: 'FF_CMS_UNAVAILABLE' });
    await expect(request(other!.deliveries)).rejects.toMatchObject({ code: 'FF_CMS_UNAVAILABLE' });
    await request(other!.checks);
    await request(one!.deliveries);
  });

  test('Refused credentials stop every process that uses them, and other credentials may still succeed', async () => {
    await using processes = openProcesses();
    const [one, other] = processes.gatesOf(2);
    const error = new CodedError('FF_CMS_UNAUTHORIZED', 'The token is invalid.');
    await request(one!.deliveries, { health: 'closed', error });
    await sleep(100);
    const refused = { code: 'FF_CMS_UNAUTHORIZED', message: 'The token is invalid.' };
    await expect(request(one!.deliveries)).rejects.toMatchObject(refused);
    await expect(request(other!.deliveries)).rejects.toMatchObject(refused);
    await request(processes.anotherOf({ token: 'new' }).deliveries);
    await request(processes.anotherOf({ token: 'new' }).deliveries);
  });

  test('Processes find together how many requests the target takes, and the next process continues there', async () => {
    await using processes = openProcesses();
    const found = { concurrency: 8, adaptsConcurrency: true };
    const [one, other] = processes.gatesOf(2, found);
    const limit = async () => (await opened.ledger.targets.look(processes.id())).pace?.limit;
    let inFlight = 0;
    let peak = 0;
    const send = async ({ deliveries }: Gates) => {
      const passage = await deliveries.enter();
      inFlight += 1;
      peak = Math.max(peak, inFlight);
      await sleep(20);
      inFlight -= 1;
      await passage.leave({ ...WELL, operation: 'events.create', tookMs: 20 });
    };
    const sendUntilFound = async (gates: Gates) => {
      while ((await limit()) !== 8) await send(gates);
    };
    const eachFour = [one!, other!].flatMap((gates) => [gates, gates, gates, gates]);
    await send(one!);
    expect(await limit()).toBeUndefined();
    await Promise.all(eachFour.map(sendUntilFound));
    expect(peak).toBeLessThanOrEqual(8);
    await Promise.all([one!.close(), other!.close()]);

    const next = processes.anotherOf(found);
    const passages = await Promise.all(Array.from({ length: 8 }, () => next.deliveries.enter()));
    expect(next.inFlight()).toBe(8);
    await Promise.all(passages.map((passage) => passage.leave(WELL)));
  });

  test('Fewer requests are in flight once responses take longer the more there are, and never more than allowed', async () => {
    await using processes = openProcesses();
    const [gates] = processes.gatesOf(1, { concurrency: 8, adaptsConcurrency: true });
    const limit = async () => (await opened.ledger.targets.look(processes.id())).pace;
    let inFlight = 0;
    const send = async () => {
      while (!(await limit())?.hold) {
        const passage = await gates!.deliveries.enter();
        inFlight += 1;
        const tookMs = 20 * Math.max(1, inFlight / 2);
        await sleep(tookMs);
        inFlight -= 1;
        await passage.leave({ ...WELL, operation: 'events.create', tookMs });
      }
    };
    await Promise.all(Array.from({ length: 8 }, send));
    expect(await limit()).toMatchObject({ limit: expect.toSatisfy((found: number) => found < 8) });
  });

  test('A signal ends the wait', async () => {
    await using processes = openProcesses();
    const [gate] = processes.gatesOf(1, { concurrency: 1 });
    const first = await gate!.deliveries.enter();
    const stop = new AbortController();
    const second = gate!.deliveries.enter(stop.signal);
    stop.abort(new Error('stop'));
    await expect(second).rejects.toThrow('stop');
    await first.leave(WELL);
    await request(gate!.deliveries);
  });
});

/** A ledger whose replies about targets come late, by up to so many ms. */
function withLateReplies({ targets }: Ledger, ms: number): Pick<Ledger, 'targets'> {
  const late = async <Result>(reply: Promise<Result>): Promise<Result> => {
    const result = await reply;
    if (ms > 0) await sleep(Math.random() * ms);
    return result;
  };
  return {
    targets: {
      ...targets,
      look: (...target) => late(targets.look(...target)),
      replacePermits: (...permits) => late(targets.replacePermits(...permits)),
    },
  };
}

/** The most of these times that any period of so many ms has. */
function mostWithin(ms: number, times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + ms).length));
}
