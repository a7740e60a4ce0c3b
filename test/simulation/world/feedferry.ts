import type { pino } from 'pino';
import { createContexts } from '../../../src/app/contexts.ts';
import type { Environment } from '../../../src/app/environment.ts';
import { siteOf } from '../../../src/app/target-id.ts';
import { createCmsClient } from '../../../src/cms/client.ts';
import { syncOfSource } from '../../../src/config/select.ts';
import type { Config, SyncConfig } from '../../../src/config/types.ts';
import type { DeliveryQueue, QueueWorker } from '../../../src/core/queue.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { createGates } from '../../../src/limits/request-gate.ts';
import { createLocalQueue } from '../../../src/queue/local.ts';
import type { RunContext, RunRequest } from '../../../src/sync/context/run-context.ts';
import { deliverBatch, giveUpBatch } from '../../../src/sync/deliver/deliver-batch.ts';
import { createSimulatedReader, type ReadWatch } from './attachments.ts';
import type { Database } from './database.ts';
import type { Files } from './files.ts';
import type { Machine } from './machine.ts';
import type { Network } from './network.ts';
import { type Row, readRows, type SourceState } from './source.ts';

/** What a process is started with. */
export interface Surroundings {
  configOf(options?: { adopt?: boolean }): Config;
  database: Database;
  network: Network;
  /** Absent: a queue of its own. */
  queueOf?: (machine: Machine) => DeliveryQueue;
  files: { files: Files; onRead: ReadWatch };
  sourceOf(sync: SyncConfig, source?: string): { rows: readonly Row[]; state: SourceState };
  takeOverAfterMs: number;
  log: pino.Logger;
}

/** feedferry in a process of the simulation, wired as `src/app/app.ts` wires it. */
export type Feedferry = Awaited<ReturnType<typeof startFeedferry>>;

export async function startFeedferry(machine: Machine, surroundings: Surroundings) {
  const { configOf, database, network, queueOf, files, sourceOf, takeOverAfterMs, log } = surroundings;
  const config = configOf();
  const { target } = config;
  const { runtime } = machine;
  const environment = { dataDir: '', stopAfterMs: 8_000 } as Environment;
  const ledger = await openLedger({ dataDir: '', engine: database.engineOf(machine), runtime, takeOverAfterMs });
  const gates = createGates(ledger, { targetId: siteOf(target.baseUrl), target, log, runtime });
  const transport = network.transportOf(machine, target.timeoutMs);
  const checks = createCmsClient({ ...target, concurrency: 1, gate: gates.checks, transport, clock: runtime });
  const cms = createCmsClient({ ...target, gate: gates.deliveries, transport, clock: runtime });
  const queue = queueOf?.(machine) ?? createLocalQueue({ concurrency: 3, log, clock: runtime });
  let worker: Promise<QueueWorker> | undefined;
  const parts = { ledger, checks, cms, queue, config, environment, runtime, log, work };
  const contexts = createContexts({ ...parts, stopWork: async () => (await worker)?.stop(), afterRun: async () => {} });
  const attachments = createSimulatedReader(machine, ledger.files, files);
  return { machine, ledger, work, contextOf, close: gates.close };

  function contextOf(sync: SyncConfig, request: RunRequest): RunContext {
    return {
      ...contexts.run(sync, request),
      attachments,
      readSource: ({ source }) => {
        const { rows, state } = sourceOf(sync, source);
        const read = source === undefined ? sync : syncOfSource(sync, source);
        return readRows(rows, state, { sync: read, target, runtime });
      },
    };
  }

  function work(): Promise<QueueWorker> {
    worker ??= queue.work(
      async (job, signal) => {
        const sync = config.syncs.find(({ name }) => name === job.sync);
        if (!sync) throw new Error(`no sync ${job.sync}`);
        return deliverBatch(job, { ...contexts.delivery(sync, job.run), attachments }, signal);
      },
      (job, error) => giveUpBatch(job, error, ledger),
    );
    return worker;
  }
}
