import { connectors } from '../../../connectors/index.ts';
import { checkSyncText, checkTargetText } from '../../../src/config/load.ts';
import type { Config } from '../../../src/config/types.ts';
import { type SandboxSwitches, switchesSchema } from '../../../src/sandbox/options.ts';
import { type Chance, createChance } from '../world/chance.ts';
import { RESOURCES } from './resources.ts';

/** What a simulated run takes place in. */
export interface Settings {
  resource: 'events' | 'accounts';
  records: number;
  processes: number;
  /** Whether all processes are on one machine, and so know which of them have exited. */
  oneHost: boolean;
  queue: 'local' | 'shared';
  externalId: boolean;
  missing: 'keep' | 'delete';
  /** The share of records that a run may delete. */
  limitPercent: 25 | 100;
  /** What becomes of items that were deleted in the CMS. */
  onDeletedInCms: 'leave' | 'recreate';
  /** Whether editors own the texts. */
  editorsOwn: boolean;
  /** Whether records have images. */
  files: boolean;
  onAttachmentError: 'publish' | 'hold';
  concurrency: 2 | 4 | 'auto';
  requestsPerSecond?: 10 | 20;
  lastPage: SandboxSwitches['lastPage'];
  /** Items that a list shows at most. */
  pageSize: 5 | 100;
  /** What is lost before the end: the ledger, or what it has had since its last copy. */
  disaster?: 'ledger is lost' | 'ledger is older';
  /** Whether a run is undone in the end. */
  undoes: boolean;
  cleared: SandboxSwitches['cleared'];
}

/** The time that a request may take, and a create may be in progress. */
export const TIMEOUT_MS = 5_000;
export const TAKE_OVER_AFTER_MS = 10_000;
export const SYNC = 'talks';
export const EXTERNAL_ID = 'source_key';

/** So many seeds in a row share what their first sync depends on: it takes a third of the time of a run. */
const SEEDS_ALIKE = 32;

/** @param chance the choices of the seed */
export function drawSettings(seed: number, chance: Chance): Settings {
  return {
    ...drawShared(createChance(Math.floor(seed / SEEDS_ALIKE))),
    processes: chance.pick([1, 2, 2, 3]),
    oneHost: chance.chance(0.6),
    queue: chance.pick(['local', 'shared']),
    concurrency: chance.pick([2, 4, 'auto']),
    requestsPerSecond: chance.pick([undefined, undefined, 10, 20]),
    lastPage: chance.pick(['omit', 'empty', 'error']),
    pageSize: chance.pick([5, 100]),
    undoes: chance.chance(0.2),
  };
}

function drawShared(chance: Chance) {
  const disaster = chance.chance(0.1) ? chance.pick(['ledger is lost', 'ledger is older'] as const) : undefined;
  const resource = chance.chance(0.25) ? 'accounts' : 'events';
  return {
    resource,
    records: chance.pick([8, 12, 16, 24]),
    externalId: chance.chance(0.7),
    missing: chance.pick(['keep', 'delete']),
    limitPercent: chance.pick([25, 25, 100]),
    // To an older ledger, what feedferry has deleted since counts as deleted by editors.
    onDeletedInCms: disaster === 'ledger is older' ? 'recreate' : chance.pick(['leave', 'leave', 'recreate']),
    editorsOwn: chance.chance(0.3),
    // Accounts have none.
    files: chance.chance(0.4) && resource === 'events',
    onAttachmentError: chance.pick(['publish', 'hold']),
    disaster,
    cleared: chance.pick(['null', 'empty', 'omit']),
  } satisfies Partial<Settings>;
}

const known = new Map<string, Config>();

/** The config of settings, checked as one in files. */
export function configOf(settings: Settings, { adopt = false } = {}): Config {
  const { resource, externalId, missing, limitPercent, onDeletedInCms, editorsOwn, files } = settings;
  const { onAttachmentError, concurrency, requestsPerSecond } = settings;
  const shaping = { resource, externalId, missing, limitPercent, onDeletedInCms, editorsOwn, files };
  const name = JSON.stringify({ ...shaping, onAttachmentError, concurrency, requestsPerSecond, adopt });
  const before = known.get(name);
  if (before) return before;
  const target = checkTargetText(
    'feedferry.yaml',
    `target:
  baseUrl: https://cms.example
  token: secret
  timezone: America/New_York
  concurrency: ${concurrency}
  backoff: 200ms
  maxBackoff: 2s
  timeout: ${TIMEOUT_MS}ms
${externalId ? `  externalId: ${EXTERNAL_ID}\n` : ''}${requestsPerSecond ? `  requestsPerSecond: ${requestsPerSecond}\n` : ''}`,
    {},
  );
  const { map, match, text } = RESOURCES[resource];
  const sync = checkSyncText(
    `syncs/${SYNC}.yaml`,
    `resource: ${resource}
source: { connector: csv, url: ./talks.csv }
key: id
map: ${map}
missing: ${missing === 'delete' ? `{ policy: delete, threshold: { percent: ${limitPercent} } }` : '{ policy: keep }'}
onDeletedInCms: ${onDeletedInCms}
onAttachmentError: ${onAttachmentError}
${files ? 'attachments: { image: image }\n' : ''}${adopt ? `adopt: { match: [${match}] }\n` : ''}${editorsOwn ? `authority: { ${text}: editor }\n` : ''}`,
    connectors,
    target,
  );
  const config: Config = {
    target,
    syncs: [sync],
    retention: { beforeImagesMs: 3_600_000 } as Config['retention'],
    dir: '',
    broken: [],
  };
  known.set(name, config);
  return config;
}

export function switchesOf({ lastPage, cleared, pageSize }: Settings): SandboxSwitches {
  return switchesSchema.parse({ lastPage, cleared, maxLimit: pageSize });
}
