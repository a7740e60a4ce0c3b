import { connectors } from '../../../connectors/index.ts';
import { checkSyncText, checkTargetText } from '../../../src/config/load.ts';
import type { Config } from '../../../src/config/types.ts';
import { type SandboxSwitches, switchesSchema } from '../../../src/sandbox/options.ts';
import { type Chance, createChance } from '../world/chance.ts';
import { drawFeatures, type FeatureName } from './features.ts';
import { RESOURCES } from './resources.ts';

/** What a simulated run takes place in. */
export interface Settings {
  resource: 'events' | 'accounts';
  records: number;
  /** How records are called in the source: keys that begin alike, such as u1, u10 and u100, or differ in case. */
  keys: 'plain' | 'beginAlike' | 'differInCase';
  /** Whether the sync has two sources: the other one has records of its own, and some that the first one has. */
  hasTwoSources: boolean;
  /** Whether it begins with one of them. */
  addsSource: boolean;
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
  /** What there is beyond ordinary trouble. */
  features: readonly FeatureName[];
}

/** What a person may change in the config while a simulated run takes place. */
export interface ConfigChanges {
  /** One more line in `map`. */
  mapsPlace: boolean;
  /** From `leave` to `recreate`, or back. */
  onDeletedInCms: boolean;
  /** Fewer days than records have. */
  window: boolean;
  /** Accounts instead of events, by mistake. */
  resource: boolean;
  /** The second source of a sync that begins with one. */
  secondSource: boolean;
}

export const NO_CHANGES: ConfigChanges = {
  mapsPlace: false,
  onDeletedInCms: false,
  window: false,
  resource: false,
  secondSource: false,
};

/** The time that a request may take, and a create may be in progress. */
export const TIMEOUT_MS = 5_000;
export const TAKE_OVER_AFTER_MS = 10_000;
export const SYNC = 'talks';
/** So many seeds in a row share what their first sync depends on: it takes a third of the time of a run. */
const SEEDS_ALIKE = 32;

/** Another sync with records of its own, in some runs. */
export const OTHER_SYNC = 'fair';
/** The number of its first record. */
export const OTHER_FIRST = 501;
export const EXTERNAL_ID = 'source_key';

/** @param chance the choices of the seed */
export function drawSettings(seed: number, chance: Chance): Settings {
  const block = Math.floor(seed / SEEDS_ALIKE);
  const settings: Settings = {
    ...drawShared(createChance(block)),
    keys: 'plain',
    hasTwoSources: false,
    addsSource: false,
    features: [],
    processes: chance.pick([1, 2, 2, 3]),
    oneHost: chance.chance(0.6),
    queue: chance.pick(['local', 'shared']),
    concurrency: chance.pick([2, 4, 'auto']),
    requestsPerSecond: chance.pick([undefined, undefined, 10, 20]),
    lastPage: chance.pick(['omit', 'empty', 'error']),
    pageSize: chance.pick([5, 100]),
    undoes: chance.chance(0.2),
  };
  const features = drawFeatures(seed, settings, SEEDS_ALIKE);
  const addsSource = features.includes('a second source is added');
  return {
    ...settings,
    features,
    keys: keysWith(features),
    hasTwoSources: addsSource || features.includes('two sources of one sync'),
    addsSource,
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

/** The name of the other source of a sync that has two. */
export const OTHER_SOURCE = 'more';
const SOURCES = `sources:
  main: { connector: csv, url: ./${SYNC}.csv }
  ${OTHER_SOURCE}: { connector: csv, url: ./${OTHER_SOURCE}.csv }`;
const OPPOSITE = { leave: 'recreate', recreate: 'leave' } as const;
/** The attribute that a record has only if the config says so. */
export const PLACE = 'place';
const MISTAKEN_MAP = 'email: { template: "{{ id }}@example.edu" }, username: id, lastName: title, department: text';

const known = new Map<string, Config>();

function keysWith(features: readonly FeatureName[]): Settings['keys'] {
  if (features.includes('keys that begin alike')) return 'beginAlike';
  return features.includes('keys that differ in case') ? 'differInCase' : 'plain';
}

/** The key of a record of the source. */
export function keyOf({ keys, resource }: Pick<Settings, 'keys' | 'resource'>, number: number): string {
  const third = Math.ceil(number / 3);
  // No number ends in zero, so that each key occurs once.
  if (keys === 'beginAlike') return `u${third + Math.floor((third - 1) / 9)}${'0'.repeat((number - 1) % 3)}`;
  // Keys of accounts are in lower case.
  if (keys === 'differInCase' && resource === 'events') return `${'kK'[number % 2]}${Math.ceil(number / 2)}`;
  return `${RESOURCES[resource].keysWith}${number}`;
}

/** The key of a record of the other sync. */
export function otherKeyOf(number: number): string {
  return `f${number}`;
}

/** Whether there is another sync. */
export function hasOtherSync({ features }: Pick<Settings, 'features'>): boolean {
  return features.includes('another sync') || features.includes('the same events in another sync');
}

/** The config of settings, checked as one in files. */
export function configOf(settings: Settings, { adopt = false, changes = NO_CHANGES } = {}): Config {
  const { externalId, missing, limitPercent, editorsOwn, files } = settings;
  const { onAttachmentError, concurrency, requestsPerSecond } = settings;
  const hasTwoSources = settings.hasTwoSources && (!settings.addsSource || changes.secondSource);
  const hasOther = hasOtherSync(settings);
  const isChanged = changes.onDeletedInCms;
  const onDeletedInCms = isChanged ? OPPOSITE[settings.onDeletedInCms] : settings.onDeletedInCms;
  const shaping = {
    resource: settings.resource,
    externalId,
    missing,
    limitPercent,
    onDeletedInCms,
    editorsOwn,
    files,
    changes,
    hasOther,
    hasTwoSources,
  };
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
  const syncNamed = (named: string) => {
    // The other sync is always right: what its first run creates is what it was told to.
    const isMistaken = changes.resource && named === SYNC;
    const resource = isMistaken ? 'accounts' : settings.resource;
    const { map, match, text } = RESOURCES[resource];
    const lines = isMistaken ? MISTAKEN_MAP : changes.mapsPlace ? `${map}, ${PLACE}: place` : map;
    const hasFiles = files && named === SYNC && !isMistaken;
    return checkSyncText(
      `syncs/${named}.yaml`,
      `resource: ${resource}
${hasTwoSources && named === SYNC && !isMistaken ? SOURCES : `source: { connector: csv, url: ./${named}.csv }`}
key: id
map: { ${lines} }
missing: ${missing === 'delete' ? `{ policy: delete, threshold: { percent: ${limitPercent} } }` : '{ policy: keep }'}
onDeletedInCms: ${onDeletedInCms}
onAttachmentError: ${onAttachmentError}
${changes.window && !isMistaken ? 'window: { from: 2027-03-01, to: 2027-03-14 }\n' : ''}${hasFiles ? 'attachments: { image: image }\n' : ''}${adopt ? `adopt: { match: [${match}] }\n` : ''}${editorsOwn ? `authority: { ${text}: editor }\n` : ''}`,
      connectors,
      target,
    );
  };
  const config: Config = {
    target,
    syncs: [SYNC, ...(hasOther ? [OTHER_SYNC] : [])].map(syncNamed),
    retention: { beforeImagesMs: 3_600_000 } as Config['retention'],
    dir: '',
    broken: [],
  };
  known.set(name, config);
  return config;
}

export function switchesOf({ lastPage, cleared, pageSize }: Settings): SandboxSwitches {
  return switchesSchema.parse({ attributes: ['any'], lastPage, cleared, maxLimit: pageSize });
}
