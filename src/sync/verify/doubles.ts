import type { CmsItem } from '../../cms/client.ts';
import type { SyncConfig } from '../../config/types.ts';
import type { Resource } from '../../core/record.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { VerifiedRecord } from '../../ledger/verifications/verified-records.ts';
import type { RunContext } from '../context/run-context.ts';
import { createLookIndex, type Look, lookOf } from '../identity/look.ts';
import { answered, isApart, type JoinRules } from '../merge/form-clusters.ts';
import { publisherOf } from '../merge/merge-members.ts';
import { mergeRulesOf } from '../merge/rules.ts';
import { compareEvents } from '../merge/same-event.ts';
import { createMissingIndex } from '../sameness/same-thing.ts';
import type { Drift } from './compare-item.ts';

/** An item of a record, as a list of the CMS shows it. */
interface Shown {
  sync: string;
  key: string;
  cmsId: number;
  look: Look;
  /** Records of the same origin may look alike: those of a sync, or of one of its sources. */
  origin: string;
  /** It may hold an editor's work. */
  isKept: boolean;
}

/** An item that looks like an older one of another sync or source, or like one that may hold an editor's work. */
export interface Double {
  item: Omit<Shown, 'look' | 'origin'>;
  /** The item that stays. */
  like: Omit<Shown, 'look' | 'origin'>;
}

/**
 * Collects the items of a list that belong to records.
 * @param severalSources names of the syncs with several sources
 */
export function createShownItems(resource: Resource, severalSources: ReadonlySet<string>) {
  const all: Shown[] = [];
  return { add, doubles };

  /** @param isEdited whether the item differs from what was delivered */
  function add({ sync, key, cmsId, isAdopted, isUnderWay }: VerifiedRecord, item: CmsItem, isEdited: boolean): void {
    if (cmsId === null || isUnderWay) return;
    const look = lookOf(item, resource);
    const origin = severalSources.has(sync) ? `${sync}/${key.slice(0, key.indexOf('/'))}` : sync;
    all.push({ sync, key, cmsId, look, origin, isKept: isAdopted || isEdited });
  }

  /** The items that look like those of other syncs or sources, each once. Of two, the older one stays, or the one that editors have worked on. */
  function doubles(): Double[] {
    const kept = createLookIndex<Shown>();
    return all.toSorted(byAge).flatMap((item): Double[] => {
      const like = kept.like(item.look).find(({ origin }) => origin !== item.origin);
      if (!like) kept.add(item);
      return like ? [{ item, like }] : [];
    });
  }
}

function byAge(one: Shown, other: Shown): number {
  return Number(other.isKept) - Number(one.isKept) || one.cmsId - other.cmsId;
}

/**
 * Returns a function that names the missing records of a sync which a record of the feed may be, by the rules by which a plan asks: the
 * site shows them twice, unless a person has said that they are different.
 */
export async function findTwins(missing: readonly VerifiedRecord[], { ledger, sync, allowingAlike }: RunContext) {
  if (missing.length === 0 || allowingAlike.has(sync.name)) return () => [];
  const index = createMissingIndex(missing.map((record) => ({ ...record, ...contentOf(record, sync) })));
  const answers = (await ledger.questions.answered(sync.name)).filter(({ answer }) => answer === 'distinct');
  const different = new Set(answers.map(({ key, other }) => JSON.stringify([key, other])));
  return (record: VerifiedRecord): Drift[] => {
    if (record.known.isMissing || record.isUnderWay) return [];
    const old = index.pairWith(contentOf(record, sync), ({ key }) => different.has(JSON.stringify([record.key, key])));
    if (!old) return [];
    const remedy =
      `The feed no longer has "${old.key}". A repair leaves both items. If they are the same, delete item ${old.cmsId} in the CMS. If both ` +
      `may stay, use \`feedferry acknowledge ${sync.name} "${old.key}"\`.`;
    const other = { sync: sync.name, key: record.key, cmsId: record.cmsId ?? 0 };
    return [{ key: old.key, cmsId: old.cmsId, cause: 'doubled', attributes: [], with: other, remedy }];
  };
}

/** What waits for an answer may be another thing than the item. */
function contentOf({ desired, known, error, occurrence }: VerifiedRecord, { resource }: SyncConfig) {
  return { payload: error?.code === 'FF_KEY_REUSED' ? (known.payload ?? {}) : desired, resource, occurrence };
}

interface Wanting {
  ledger: Ledger;
  allowing: ReadonlySet<string>;
  syncs: readonly SyncConfig[];
}

/** Leaves out doubles that are wanted: a sync allows them, or a person has said that the records are different. */
export async function unwanted(doubles: readonly Double[], { ledger, allowing, syncs }: Wanting): Promise<Double[]> {
  const several = syncs.filter(({ sources }) => sources && doubles.length > 0);
  const rules = new Map(
    await Promise.all(several.map(async (sync) => [sync, await mergeRulesOf({ ledger, sync })] as const)),
  );
  const left: Double[] = [];
  for (const double of doubles) {
    const pair = [double.item, double.like];
    if (pair.some(({ sync }) => allowing.has(sync))) continue;
    const keys = pair.map(({ key }) => key);
    const [sync, ruled] = [...rules].find(([{ name }]) => pair.every((record) => record.sync === name)) ?? [];
    if (sync && ruled && (await areDifferent(keys, ruled, { sync, ledger }))) continue;
    const answers = await Promise.all(pair.map(({ sync, key }) => ledger.questions.answersAbout('item', sync, [key])));
    // Both may have changed since.
    if (!answers.some((given) => [...given.values()].some(({ answer }) => answer === 'distinct'))) left.push(double);
  }
  return left;
}

/** Whether two records of a sync with several sources are different events, by its rules or as a person has said. */
async function areDifferent(
  clusters: readonly string[],
  rules: JoinRules,
  context: Pick<RunContext, 'ledger' | 'sync'>,
): Promise<boolean> {
  const [first = '', second = ''] = clusters;
  if (isApart({ key: first }, { key: second }, rules)) return true;
  const members = await context.ledger.members.membersBy('cluster', context.sync.name, clusters);
  const [sources, others] = clusters.map((key) => {
    return new Set(members.flatMap(({ cluster, source }) => (cluster === key ? [source] : [])));
  });
  // Two records of one source are never joined.
  if ([...(sources ?? [])].some((source) => others?.has(source))) return true;
  const [one, other] = clusters.map((key) => {
    const [first, ...others] = members.filter(({ cluster }) => cluster === key);
    return first && publisherOf([first, ...others], rules.sources);
  });
  if (!one || !other) return false;
  return (
    one.eventHash !== other.eventHash || answered(compareEvents(one, other, rules), rules.answers).is === 'different'
  );
}
