import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { recordTitle } from '../../core/text/record-title.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ListedRecord } from '../../ledger/records/record-search.ts';
import { type RecordSearch, readCursor, toCursor } from '../answers/paging.ts';
import { type RecordPageView, type RecordRowView, recordStatus } from '../views/sync.ts';
import { searchWords } from './search-words.ts';

/** Approximate duration of one part of a search. */
const PART_MS = 50;
/** Number of records that are read at a time. */
const CHUNK = 250;

const position = z.object({ sync: z.string(), status: recordStatus.optional(), key: z.string() });

/** The record after which a search continues. A search by state goes through the states of each sync. */
type Position = z.output<typeof position>;
type State = z.output<typeof recordStatus>;

const START: Position = { sync: '', key: '' };

/** Lists or searches for records. A list by state is read for a short time: its next part continues where this part ended. */
export async function searchRecords(search: RecordSearch, ledger: Ledger): Promise<RecordPageView> {
  const { records } = ledger;
  const { sync, after, limit } = search;
  const words = search.words?.trim() ?? '';
  const states = search.states?.length ? recordStatus.array().parse(search.states) : undefined;
  if (words !== '') {
    const { found, ...next } = await searchWords({ ...search, words, isWanted }, ledger);
    return { records: found.map(toRow), ...next };
  }
  const undelivered = states?.includes('delivered') ? undefined : states?.toSorted();
  const found: ListedRecord[] = [];
  const lists = undelivered && (await listsIn(undelivered));
  const deadline = performance.now() + PART_MS;
  let shown = after === undefined ? START : readCursor(after, position);
  for (let at: Position | undefined = shown; at; ) {
    const { rows, next }: Part = lists ? await readLists(lists, at) : await readAll(at);
    for (const row of rows) {
      if (!isWanted(row)) continue;
      if (found.length >= limit) return { records: found.map(toRow), next: toCursor(shown) };
      found.push(row);
      shown = positionOf(row);
    }
    if (next && found.length > 0 && performance.now() > deadline)
      return { records: found.map(toRow), next: toCursor(next) };
    at = next;
    // SQLite blocks this process, which also has to serve other requests.
    await setImmediate();
  }
  return { records: found.map(toRow) };

  function isWanted(row: ListedRecord): boolean {
    return (states?.includes(row.status) ?? true) && (sync === undefined || row.sync === sync);
  }

  async function listsIn(wanted: readonly State[]): Promise<List[]> {
    return (await records.statesOf(sync === undefined ? await records.syncsWithRecords() : [sync], wanted)).toSorted(
      (one, other) => (isBefore(one, other) ? -1 : 1),
    );
  }

  async function readAll(at: Position): Promise<Part> {
    const rows = await records.listed({ sync, after: at, limit: CHUNK });
    const last = rows.at(-1);
    return { rows, next: last && rows.length === CHUNK ? positionOf(last) : undefined };
  }

  async function readLists(all: readonly List[], at: Position): Promise<Part> {
    const index = all.findIndex((list) => !isBefore(list, at));
    const list = all[index];
    if (!list) return { rows: [] };
    const isOpen = list.sync === at.sync && list.status === at.status;
    const after = { sync: list.sync, key: isOpen ? at.key : '' };
    const rows = await records.listed({ ...list, after, limit: CHUNK });
    const last = rows.at(-1);
    if (last && rows.length === CHUNK) return { rows, next: positionOf(last) };
    const following = all[index + 1];
    return { rows, next: following && { ...following, key: '' } };
  }

  function positionOf({ sync: name, status, key }: ListedRecord): Position {
    return undelivered ? { sync: name, status, key } : { sync: name, key };
  }
}

/** The records of a sync in a state. */
interface List {
  sync: string;
  status: State;
}

/** Rows, and the position to continue from, if there are more. */
interface Part {
  rows: ListedRecord[];
  next?: Position | undefined;
}

function isBefore(list: List, { sync, status = 'deleted' }: Omit<Position, 'key'>): boolean {
  return list.sync < sync || (list.sync === sync && list.status < status);
}

function toRow(record: ListedRecord): RecordRowView {
  const { sync, key, payload, resource, status, cmsId, startsOn, deliveredAt, missingSince, error, undeliveredFiles } =
    record;
  return {
    ...{ sync, key, title: recordTitle(payload, resource), status, startsOn, deliveredAt, missingSince },
    cmsId: cmsId ?? undefined,
    error: status === 'delivered' ? undefined : error,
    undeliveredFiles,
    withoutFiles: undeliveredFiles?.map(({ attribute }) => attribute),
  };
}
