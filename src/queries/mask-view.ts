import { CodedError } from '../core/errors.ts';
import { sharedFor } from '../core/runtime/shared-answer.ts';
import { isMasked, masked, maskedIn } from '../core/text/masked.ts';
import type { RecordSearch } from './answers/paging.ts';
import type { Queries } from './create-queries.ts';

/** How long the list of event syncs is reused: the syncs of a site, and their resources, seldom change. */
const KNOWN_FOR_MS = 60_000;

/** What the answers of these queries are about: the sync or the run that the first argument names. */
const ABOUT: Partial<Record<string, 'sync' | 'run'>> = {
  ...{ rejects: 'sync', verification: 'sync', questions: 'sync', purgePreview: 'sync', pictures: 'sync' },
  ...{ record: 'sync', recordRejection: 'sync', recordSource: 'sync', recordLive: 'sync' },
  ...{ changes: 'run', failures: 'run', plannedItems: 'run' },
};
/** Queries about the record with a key. */
const OF_RECORDS: ReadonlySet<string> = new Set(['record', 'recordRejection', 'recordSource', 'recordLive']);

type AnyQuery = (...given: unknown[]) => Promise<unknown>;

/**
 * Returns the same queries for viewers who may not see the e-mail addresses of accounts: masks all addresses. The keys of events
 * are not masked, because the UIDs of iCal look like addresses.
 */
export function maskedQueries(queries: Queries): Queries {
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
      const [answer, isKept] = await Promise.all([query(...given), keptMembers()]);
      const sync = ABOUT[name] === 'run' ? (await queries.run(about ?? '')).sync : about;
      return maskedIn(answer, isKept, ABOUT[name] && sync);
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
}

function eventSyncsOf(syncs: ReadonlyArray<{ sync: string; resource: string | null }>): Set<string> {
  return new Set(syncs.filter(({ resource }) => resource === 'events').map(({ sync }) => sync));
}
