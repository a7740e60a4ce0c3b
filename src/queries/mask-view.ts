import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { CodedError } from '../core/errors.ts';
import { sharedFor } from '../core/runtime/shared-answer.ts';
import { isMasked, masked, maskedIn } from '../core/text/masked.ts';
import type { Paging } from './answers/paging.ts';
import type { Queries } from './create-queries.ts';

/** How long the list of event syncs is reused: the syncs of a site, and their resources, seldom change. */
const KNOWN_FOR_MS = 60_000;

/**
 * Returns the same queries for viewers who may not see the e-mail addresses of accounts: masks all addresses. The keys of events
 * are not masked, because the UIDs of iCal look like addresses. Cursors may contain keys, so they are encrypted, and are valid
 * only in this process.
 */
export function maskedQueries(queries: Queries): Queries {
  const cursors = sealedCursors();
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
    return page.next === undefined ? shown : { ...shown, next: cursors.seal(page.next) };
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

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts cursors with a key of this process. */
function sealedCursors() {
  const secret = randomBytes(32);
  return { seal, open };

  function seal(cursor: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, secret, iv);
    const text = Buffer.concat([cipher.update(cursor, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** Returns undefined for a cursor of another process, so that the query returns the first page. */
  function open(sealed: string): string | undefined {
    try {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      return text.toString('utf8');
    } catch {
      return undefined;
    }
  }
}
