import { randomUUID } from 'node:crypto';
import { CodedError } from '../core/errors.ts';
import { sharedFor } from '../core/runtime/shared-answer.ts';
import { isMasked, masked, maskedIn } from '../core/text/masked.ts';
import type { Paging } from './answers/paging.ts';
import type { Queries } from './create-queries.ts';

/** How long the list of event syncs is reused: the syncs of a site, and their resources, seldom change. */
const KNOWN_FOR_MS = 60_000;

/**
 * Returns the same queries for viewers who may not see the e-mail addresses of accounts: masks all addresses. The keys of events
 * are not masked, because the UIDs of iCal look like addresses. Cursors may contain keys, so viewers see ids in their place, which are
 * valid only in this process.
 */
export function maskedQueries(queries: Queries): Queries {
  const cursors = hiddenCursors();
  /** Syncs whose keys are shown. The keys of an unknown sync are masked. */
  const knownEventSyncs = sharedFor(KNOWN_FOR_MS, async () => eventSyncsOf((await queries.overview()).syncs));

  return {
    ...queries,
    overview: () => mask(queries.overview()),
    news: (since) => mask(queries.news(since)),
    sync: (name) => mask(queries.sync(name)),
    runs: (options) => maskPage(queries.runs(opened(options))),
    records: (search) => maskPage(queries.records({ ...opened(search), isMasked: true })),
    rejects: (sync, search) => mask(queries.rejects(sync, search), sync),
    rejectsCsv,
    allRejects: () => mask(queries.allRejects()),
    day: (day) => mask(queries.day(day)),
    verification: async (sync, paging) => maskPage(queries.verification(sync, opened(paging)), sync),
    questions: (sync, limit) => mask(queries.questions(sync, limit), sync),
    run: (id) => mask(queries.run(id)),
    changes: async (run, paging) => maskPage(queries.changes(run, opened(paging)), await syncOf(run)),
    failures: async (run, paging) => maskPage(queries.failures(run, opened(paging)), await syncOf(run)),
    undoPreview: (run, signal) => mask(queries.undoPreview(run, signal)),
    heldPlans: () => mask(queries.heldPlans()),
    heldPlan: (run) => mask(queries.heldPlan(run)),
    plannedItems: async (run, paging) => maskPage(queries.plannedItems(run, opened(paging)), await syncOf(run)),
    purgePreview: (sync, paging) => maskPage(queries.purgePreview(sync, opened(paging)), sync),
    record: (sync, key) => ifShown(sync, key, () => mask(queries.record(sync, key))),
    recordRejection: (sync, key) => ifShown(sync, key, () => mask(queries.recordRejection(sync, key))),
    recordSource: (sync, key, signal) => ifShown(sync, key, () => mask(queries.recordSource(sync, key, signal), sync)),
    itemAddress: (sync, key, place, signal) => ifShown(sync, key, () => queries.itemAddress(sync, key, place, signal)),
    recordLive: (sync, key, signal) => ifShown(sync, key, () => mask(queries.recordLive(sync, key, signal), sync)),
    calendar: (month, sync) => mask(queries.calendar(month, sync)),
    queue: () => mask(queries.queue()),
    examination: () => maskedIn(queries.examination()),
  };

  /**
   * Queries a record unless its key is masked. Whether there is such a record is not revealed.
   * @throws CodedError FF_HTTP_NOT_FOUND
   */
  async function ifShown<View>(sync: string, key: string, query: () => Promise<View>): Promise<View> {
    if (!isMasked(masked(key)) || (await knownEventSyncs()).has(sync)) return query();
    throw new CodedError('FF_HTTP_NOT_FOUND', 'This key has an e-mail address, which your role does not see.');
  }

  async function mask<View>(asked: Promise<View>, sync?: string): Promise<View> {
    const [view, isKept] = await Promise.all([asked, keptMembers()]);
    return maskedIn(view, isKept, sync);
  }

  async function* rejectsCsv(sync: string, run?: string): AsyncGenerator<string> {
    const isKept = await keptMembers();
    yield* queries.rejectsCsv(sync, run, (rejected) => maskedIn(rejected, isKept, sync));
  }

  /** The keys of events are shown. */
  async function keptMembers() {
    const eventSyncs = await knownEventSyncs();
    return (name: string, about: string | undefined) =>
      (name === 'key' || name === 'publishedAs') && about !== undefined && eventSyncs.has(about);
  }

  async function maskPage<Page extends { next?: string }>(asked: Promise<Page>, sync?: string): Promise<Page> {
    const page = await asked;
    const shown = await mask(asked, sync);
    return page.next === undefined ? shown : { ...shown, next: cursors.hide(page.next) };
  }

  function opened<Asked extends Paging>({ after, ...asked }: Asked): Asked {
    const position = after && cursors.open(after);
    return { ...asked, after: position } as Asked;
  }

  async function syncOf(run: string): Promise<string> {
    return (await queries.run(run)).sync;
  }
}

function eventSyncsOf(syncs: ReadonlyArray<{ sync: string; resource: string | null }>): Set<string> {
  return new Set(syncs.filter(({ resource }) => resource === 'events').map(({ sync }) => sync));
}

/** Cursors of this many pages are known; the oldest are forgotten. */
const MOST_CURSORS = 10_000;

/** Replaces cursors by ids that say nothing, and that only this process knows. */
function hiddenCursors() {
  const known = new Map<string, string>();
  return { hide, open: (id: string) => known.get(id) };

  function hide(cursor: string): string {
    const id = randomUUID();
    known.set(id, cursor);
    for (const oldest of known.keys()) if (known.size > MOST_CURSORS) known.delete(oldest);
    return id;
  }
}
