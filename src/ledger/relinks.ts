import type { Payload, Resource } from '../core/record.ts';
import type { StagedAttachment } from './claims.ts';
import type { LedgerDatabase, StagedTable } from './schema.ts';
import { type KnownRecord, toKnown } from './staging.ts';

/** A delivered record that a run has not seen. */
export interface GoneRecord extends KnownRecord {
  key: string;
  resource: Resource;
}

/** A record that a run has staged as new and that the ledger has never had. */
export interface FreshRecord {
  key: string;
  resource: Resource;
  payload: Payload;
  attachments: StagedAttachment[];
}

/** What it takes to recognise records whose keys have changed. */
export interface RelinkStore {
  gone(run: string, sync: string): Promise<GoneRecord[]>;
  fresh(run: string, sync: string): Promise<FreshRecord[]>;
  /** Notes that a staged record is one that the ledger has under another key; applying the plan moves it. */
  link(run: string, link: { from: string; to: string; op: StagedTable['op']; changed: string[] }): Promise<void>;
}

export function createRelinkStore({ db }: LedgerDatabase): RelinkStore {
  return {
    async gone(run, sync) {
      const rows = await db
        .selectFrom('records')
        .select(['key', 'resource', 'delivered', 'delivered_attachments', 'cms_id', 'editable'])
        .where('sync', '=', sync)
        .where('cms_id', 'is not', null)
        .where('key', 'not in', db.selectFrom('staged').select('staged.key').where('staged.run', '=', run))
        .execute();
      return rows.map((row) => ({ ...toKnown(row), key: row.key, resource: row.resource as Resource }));
    },

    async fresh(run, sync) {
      const rows = await db
        .selectFrom('staged')
        .select(['key', 'resource', 'desired', 'attachments'])
        .where('run', '=', run)
        .where('op', '=', 'create')
        .where('key', 'not in', db.selectFrom('records').select('records.key').where('records.sync', '=', sync))
        .execute();
      return rows.map((row) => ({
        key: row.key,
        resource: row.resource as Resource,
        payload: JSON.parse(row.desired ?? '{}') as Payload,
        attachments: JSON.parse(row.attachments ?? '[]') as StagedAttachment[],
      }));
    },

    async link(run, { from, to, op, changed }) {
      await db
        .updateTable('staged')
        .set({ previous_key: from, op, changed: JSON.stringify(changed), password: null })
        .where('run', '=', run)
        .where('key', '=', to)
        .execute();
    },
  };
}
