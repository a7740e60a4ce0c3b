import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { syncOfSource } from '../config/select.ts';
import type { Config, SyncConfig } from '../config/types.ts';
import type { AttachmentReader } from '../core/attachment.ts';
import type { Runtime } from '../core/runtime/runtime.ts';
import { attachmentLimits, createAttachmentReader } from '../feed/attachments.ts';
import { mappedAttributes } from '../source/compile-sync-mapping.ts';
import { readSources } from '../source/read-sources.ts';
import type { DeliveryContext } from '../sync/context/delivery-context.ts';
import type { RunContext, RunRequest } from '../sync/context/run-context.ts';
import { createCmsHabits } from '../sync/evidence/cms-habits.ts';
import { createPasswordCipher } from '../sync/passwords/password-cipher.ts';
import { createCmsSearch } from '../sync/search/cms-search.ts';
import type { Environment } from './environment.ts';
import { deliveryFingerprint, mappingFingerprint, planFingerprint } from './fingerprint.ts';
import { createSheetStore } from './kept-sheets.ts';
import { targetIdOf } from './target-id.ts';
import { version } from './version.ts';

/** Number of records that are prepared per request that may be in flight. */
const LANES_PER_REQUEST = 2;

interface ContextOptions extends Pick<RunContext, 'ledger' | 'cms' | 'checks' | 'queue' | 'work' | 'stopWork'> {
  config: Config;
  environment: Environment;
  runtime: Runtime;
  log: Logger;
  afterRun(sync: SyncConfig, signal: AbortSignal): Promise<void>;
}

/** Builds the contexts in which each sync delivers and runs. */
export function createContexts(options: ContextOptions) {
  const { config, environment, runtime, log, ledger, cms, checks, queue, work, stopWork, afterRun } = options;
  const { target, retention } = config;
  const ourVersion = version();
  const search = createCmsSearch(cms, target.externalId, runtime);
  const habitsOf = createCmsHabits(ledger);
  const passwordCipher = createPasswordCipher(environment);
  const uploading: DeliveryContext['uploading'] = new Map();
  const lanes = pLimit(LANES_PER_REQUEST * target.concurrency);
  const sheets = createSheetStore(environment.dataDir);
  const allowingAlike = new Set(config.syncs.flatMap(({ name, alike }) => (alike === 'allow' ? [name] : [])));
  const attachmentReaders = new WeakMap<SyncConfig, AttachmentReader>();
  return { delivery, run };

  /** @param runId appears in the log */
  function delivery(sync: SyncConfig, runId?: string): DeliveryContext {
    const targetId = targetIdOf(sync, target.baseUrl);
    return {
      ...{ sync, target, targetId },
      mapped: mappedAttributes(sync),
      configHash: deliveryFingerprint(sync, target, ourVersion),
      runtime,
      ledger,
      cms,
      search,
      habits: habitsOf(targetId, sync.resource),
      attachments: attachmentsOf(sync),
      passwordCipher,
      uploading,
      lanes,
      keepsBefore: retention.beforeImagesMs > 0,
      log: log.child({ sync: sync.name, run: runId }),
      stopAfterMs: environment.stopAfterMs,
    };
  }

  function run(sync: SyncConfig, { signal, asked, onBegin, onProgress, onWait }: RunRequest): RunContext {
    return {
      ...delivery(sync),
      queue,
      checks,
      formerTargetId: target.movedFrom === undefined ? undefined : targetIdOf(sync, target.movedFrom),
      allowingAlike,
      fingerprint: planFingerprint(sync, target, ourVersion, runtime.now()),
      readSource: ({ source, window, ...readOptions }) => {
        const read = source === undefined ? sync : syncOfSource(sync, source);
        // How sources are matched decides by what their events are compared.
        const mappedBy = mappingFingerprint({ ...read, merge: sync.merge }, target, ourVersion);
        return readSources(window ? { ...read, window } : read, target, { ...readOptions, mappedBy, sheets });
      },
      work,
      stopWork,
      afterRun: () => afterRun(sync, signal),
      signal,
      asked,
      onBegin,
      onProgress,
      onWait,
    };
  }

  /** Attachments are read under the restrictions of the sources. A reader remembers its hashes, so each sync keeps its reader. */
  function attachmentsOf(sync: SyncConfig): AttachmentReader {
    const known = attachmentReaders.get(sync);
    if (known) return known;
    const reader = createAttachmentReader(ledger.files, attachmentLimits(sync));
    attachmentReaders.set(sync, reader);
    return reader;
  }
}
