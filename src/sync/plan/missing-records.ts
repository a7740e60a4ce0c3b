import { CmsError } from '../../cms/errors.ts';
import type { MissingRule, SyncConfig } from '../../config/types.ts';
import { clockAt } from '../../core/dates/iso-date.ts';
import { hashJson } from '../../core/hash.ts';
import type { Payload, Warning, Withdrawal } from '../../core/record.ts';
import { namesByReason, recordTitle } from '../../core/text/record-title.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import type { Covered, MissingAction } from '../../ledger/plans/missing-records.ts';
import type { KnownRecord } from '../../ledger/records/known-record.ts';
import type { KeptRejection } from '../../ledger/runs/rejections.ts';
import { isOver } from '../../mapping/window.ts';
import type { RunContext } from '../context/run-context.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';

/**
 * The records that are missing from a feed that was read whole; `newly`: only since the last seven days; `removals`: how
 * many are staged to be deleted or marked; `removedBefore`: how many the runs of the last seven days have deleted or marked.
 */
export const noneMissing = { covered: 0, missing: 0, newly: 0, removals: 0, removedBefore: 0 };
export type Missing = typeof noneMissing;

/**
 * Counts the records that a feed does not have, and stages the removals that are due.
 * @param feed `covered`: the records that are missing if the feed lacks them; absent: it proves nothing. `deletions`: removals
 * staged for the source
 */
export async function stageMissing(
  run: string,
  { covered, deletions }: { covered: Covered | undefined; deletions: number },
  { sync, ledger }: Pick<RunContext, 'sync' | 'ledger'>,
): Promise<Missing> {
  if (!covered && deletions === 0) return noneMissing;
  const action = actionOf(sync);
  const due = covered && action ? await ledger.plans.stageMissing(run, sync.name, covered, action) : 0;
  const removals = deletions + due;
  const removedBefore = removals > 0 ? await ledger.plans.countRemoved(run, sync.name) : 0;
  const counted = await ledger.plans.countMissing(run, sync.name, covered ?? {});
  return { ...counted, ...(covered ? {} : { missing: deletions }), removals, removedBefore };
}

/** A record that its source does not want to be published, and its place. */
export type Withdrawn = Withdrawal & { at?: string };

/**
 * Stages what follows from records that their source has cancelled, made private or deleted, at once: its word is no absence. If the
 * sync keeps items, cancelled and private ones that the site still shows are rejected, run by run, even if the source drops the records.
 * @returns `rejected`: these rejections; `warnings`: about them, unless a person has acknowledged them, and about records that were
 * never published
 */
export async function stageWithdrawn(run: string, withdrawn: ReadonlyMap<string, Withdrawn>, context: RunContext) {
  const { ledger, sync } = context;
  const action = actionOf(sync);
  const before = action ? [] : await ledger.acknowledgements.keysRejectedFor(sync.name, 'FF_RECORD_WITHDRAWN');
  const all = new Map<string, Withdrawn>(before.map((key) => [key, { as: 'cancelled' }]));
  for (const [key, each] of withdrawn) all.set(key, each);
  const rejected: KeptRejection[] = [];
  /** The occurrences of a series share their place. */
  const warnings = new Map<string, Warning>();
  const shown: Array<{ key: string; title: string; reason: string }> = [];
  const isGone = createLook(context);
  const keys = [...all.keys()];
  for (let start = 0; start < keys.length; start += PAGE) await stagePage(keys.slice(start, start + PAGE));
  return { rejected, warnings: [...warnings.values(), ...(await warningsOfShown())] };

  async function warningsOfShown(): Promise<Warning[]> {
    if (shown.length === 0) return [];
    const acknowledged = await ledger.acknowledgements.acknowledged(sync.name);
    const isKnown = (key: string) => acknowledged.some((each) => each.kind === 'rejected' && each.key === key);
    return namesByReason(shown.filter(({ key }) => !isKnown(key))).map((message) => ({ at: 'feed', message }));
  }

  async function stagePage(page: readonly string[]): Promise<void> {
    const { plans } = ledger;
    const staged = new Set((await plans.alreadyStaged(run, page)).map(({ key }) => key));
    const open = page.filter((key) => !staged.has(key));
    const [replaced, others] = [true, false].map((is) =>
      open.filter((key) => (all.get(key)?.as === 'replaced') === is),
    );
    const removals = new Set([
      ...(await plans.stageDeleted(run, sync.name, replaced ?? [], { op: 'delete', after: { runs: 1 } })),
      ...(action ? await plans.stageDeleted(run, sync.name, others ?? [], action) : []),
    ]);
    const published = new Map((await plans.publishedAmong(sync.name, open)).map((record) => [record.key, record]));
    const rows: StagedRow[] = [];
    for (const key of open) {
      const { at, as = 'cancelled', warning } = all.get(key) ?? {};
      const record = published.get(key);
      if (removals.has(key)) continue;
      if (!record && at !== undefined && warning !== undefined) warnings.set(at + warning, { at, message: warning });
      if (!record) continue;
      const place = at ?? record.place;
      const isShown = isReported(as, record.payload, context) && !(await isGone(record.cmsId));
      rows.push({ run, key, place, op: isShown ? 'rejected' : 'skipped' });
      if (!isShown) continue;
      const reason = `${as} in the feed, still on the site`;
      rejected.push({ at: place, key, code: 'FF_RECORD_WITHDRAWN', reason });
      shown.push({ key, title: recordTitle(record.payload, sync.resource), reason });
    }
    await plans.add(rows);
  }
}

/** Number of records in memory at a time. */
const PAGE = 500;
/** So many items are looked at: more would cost a run too many requests. */
const LOOKED_AT = 50;

/** Returns a look at items that a person may have deleted. Without an answer, an item counts as present. */
function createLook({ cms, sync }: Pick<RunContext, 'cms' | 'sync'>): (cmsId: number) => Promise<boolean> {
  let left = LOOKED_AT;
  return async (cmsId) => {
    if (left === 0) return false;
    left -= 1;
    try {
      return (await unlessDeleted(itemsOf(sync.resource, { cms, sync }).get(cmsId))) === undefined;
    } catch (error) {
      if (!(error instanceof CmsError)) throw error;
      left = 0;
      return false;
    }
  };
}

/** Whether a published record is reported if its source withdraws it. The site misleads nobody if an event is over. */
export function isReported(
  as: Withdrawal['as'],
  payload: Payload,
  { sync, target, runtime }: Pick<RunContext, 'sync' | 'target' | 'runtime'>,
): boolean {
  if (actionOf(sync) || as === 'deleted' || as === 'replaced') return false;
  return as === 'private' || sync.resource !== 'events' || !isOver(payload, clockAt(runtime.now(), target.timezone));
}

/** What the sync does with records that its source no longer has; undefined: it keeps them. */
export function actionOf({ missing }: SyncConfig): MissingAction | undefined {
  if (missing.policy === 'keep') return undefined;
  if (missing.policy === 'delete') return { op: 'delete', after: missing.after };
  const { set: attributes, after } = missing;
  return { op: 'mark', mark: { attributes, hash: hashJson({ mark: attributes }) }, after };
}

/** The payload of a record that is no longer missing: resets the attributes that its mark had set and its source does not set. */
export function unmarked(payload: Payload, known: Pick<KnownRecord, 'marked'> | undefined): Payload {
  return { ...known?.marked, ...payload };
}

/** Returns what counts for the records of a source: its own rule, or that of the sync. */
export function missingRuleOf(
  { missing, sources = [] }: Pick<SyncConfig, 'missing' | 'sources'>,
  source: string,
): MissingRule {
  return sources.find(({ name }) => name === source)?.sync.missing ?? missing;
}
