import { sql } from 'kysely';
import { createAnswerStore } from '../answers/answers.ts';
import { draftOf, inPlace, type KeptAs } from '../database/kept-as.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';
import { change } from '../database/statements.ts';
import { createJoinStore } from './joining.ts';
import { createMemberStore } from './members.ts';
import { createClusterStore } from './open-clusters.ts';
import { createMemberReading } from './read-members.ts';
import { createReadingStore } from './readings.ts';

type Draft = Pick<LedgerTables, 'members' | 'readings' | 'answers'>;

/** All columns but the name under which a row is kept. Readings come first: a run may note more of both meanwhile. */
const COLUMNS: { [Table in keyof Draft]: Record<Exclude<keyof Draft[Table], 'sync'>, true> } = {
  readings: {
    ...{ source: true, run: true, read_at: true, fingerprint: true, receipt: true, records: true, rejected: true },
    ...{ warnings: true, begun_no: true, whole_no: true, whole_receipt: true, wholes: true },
    ...{ error_code: true, error_message: true },
  },
  members: {
    ...{ key: true, source: true, cluster: true, covered_in: true, place: true, payload: true, attachments: true },
    ...{ source_hash: true, event_hash: true, starts_on: true, ends_on: true, series: true, slot: true, repeats: true },
    ...{ read_in: true, read_no: true, read_hash: true, astray_no: true, state: true },
  },
  answers: {
    ...{ about: true, answer: true, person: true, answered_at: true, note: true },
  },
};
const TABLES = Object.entries(COLUMNS).map(([table, columns]) => ({ table, columns: Object.keys(columns) }));

/** What is known of the sources of syncs that have several, with the answers of people. */
export function createSourceStores(database: LedgerDatabase, keptAs: KeptAs = inPlace) {
  return {
    /** The records of the sources, and the clusters that they are published as. */
    members: {
      ...createMemberReading(database, keptAs),
      ...createMemberStore(database, keptAs),
      ...createJoinStore(database, keptAs),
      ...createClusterStore(database, keptAs),
    },
    readings: createReadingStore(database, keptAs),
    answers: createAnswerStore(database, keptAs),
  };
}

/**
 * Drafts: what is known of the sources of a sync, copied for one plan. The plan notes there what it reads and joins, so that
 * nothing of it remains.
 */
export function createMemberDrafts(database: LedgerDatabase) {
  const { unsynced } = database;
  return { openDraft, discardDraft };

  /** Copies what is known of the sources of a sync. Returns the stores of the copy. */
  async function openDraft(run: string, sync: string): Promise<ReturnType<typeof createSourceStores>> {
    const draft = draftOf(run);
    await unsynced(async (transaction) => {
      for (const { table, columns } of TABLES) {
        const copied = sql.join(columns.map((column) => sql.ref(column)));
        await change(transaction)`
          insert into ${sql.table(table)} (sync, ${copied})
          select cast(${draft} as text), ${copied} from ${sql.table(table)} where sync = ${sync}
        `;
      }
    });
    return createSourceStores(database, () => draft);
  }

  async function discardDraft(run: string): Promise<void> {
    await unsynced(async (transaction) => {
      for (const { table } of TABLES) {
        await change(transaction)`delete from ${sql.table(table)} where sync = ${draftOf(run)}`;
      }
    });
  }
}
