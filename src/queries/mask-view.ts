import { randomUUID } from 'node:crypto';
import { CodedError } from '../core/errors.ts';
import { isObject } from '../core/record.ts';
import { sharedFor } from '../core/runtime/shared-answer.ts';
import { isMasked, masked, maskedIn } from '../core/text/masked.ts';
import type { RecordSearch } from './answers/paging.ts';
import type { Queries } from './create-queries.ts';

/** How long the list of event syncs is reused: the syncs of a site, and their resources, seldom change. */
const KNOWN_FOR_MS = 60_000;

/** What the answers of these queries are about: the sync or the run that the first argument names. */
const ABOUT: Partial<Record<string, 'sync' | 'run'>> = {
  ...{ rejects: 'sync', verification: 'sync', questions: 'sync', purgePreview: 'sync' },
  ...{ record: 'sync', recordRejection: 'sync', recordSource: 'sync', recordLive: 'sync' },
  ...{ changes: 'run', failures: 'run', plannedItems: 'run' },
};
/** Queries about the record with a key. */
const OF_RECORDS: ReadonlySet<string> = new Set(['record', 'recordRejection', 'recordSource', 'recordLive']);

type AnyQuery = (...given: unknown[]) => Promise<unknown>;

/**
 * Returns the same queries for viewers who may not see the e-mail addresses of accounts: masks all addresses. The keys of events
 * are not masked, because the UIDs of iCal look like addresses. Cursors may contain keys, so viewers see ids in their place, which are
 * valid only in this process.
 */
export function maskedQueries(queries: Queries): Queries {
  const cursors = hiddenCursors();
  /** Syncs whose keys are shown. The keys of an unknown sync are masked. */
  const knownEventSyncs = sharedFor(KNOWN_FOR_MS, async () => eventSyncsOf((await queries.overview()).syncs));
  const every = Object.entries(queries).map(([name, query]) => [name, masking(name, query as AnyQuery)]);

  return {
    ...(Object.fromEntries(every) as Queries),
    examine: queries.examine,
    examination: () => maskedIn(queries.examination()),
    records: masking('records', (search) =>
      queries.records({ ...(search as RecordSearch), isMasked: true }),
    ) as Queries['records'],
    rejectsCsv,
    async itemAddress(sync, key, ...given) {
      await refuseHidden(sync, key);
      return queries.itemAddress(sync, key, ...given);
    },
  };

  function masking(name: string, query: AnyQuery): AnyQuery {
    return async (...given) => {
      const [about, key] = given.map(String);
      if (OF_RECORDS.has(name)) await refuseHidden(about, key);
      const [answer, isKept] = await Promise.all([query(...given.map(opened)), keptMembers()]);
      const sync = ABOUT[name] === 'run' ? (await queries.run(about ?? '')).sync : about;
      const shown = maskedIn(answer, isKept, ABOUT[name] && sync) as { next?: string };
      const { next } = answer as { next?: string };
      return next === undefined ? shown : { ...shown, next: cursors.hide(next) };
    };
  }

  /**
   * Refuses to show a record whose key is masked. Whether there is such a record is not revealed.
   * @throws CodedError FF_HTTP_NOT_FOUND
   */
  async function refuseHidden(sync = '', key = ''): Promise<void> {
    if (!isMasked(masked(key)) || (await knownEventSyncs()).has(sync)) return;
    throw new CodedError('FF_HTTP_NOT_FOUND', 'This key has an e-mail address, which your role does not see.');
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

  /** The position of a page in place of the id of its cursor; an unknown one leads to the first page. */
  function opened(given: unknown): unknown {
    if (!isObject(given) || typeof given.after !== 'string') return given;
    return { ...given, after: cursors.open(given.after) };
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
