import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const initial: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('records')
      .addColumn('sync', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .addColumn('action', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text')
      .addColumn('run', 'text', (column) => column.notNull())
      .addColumn('desired', 'text', (column) => column.notNull())
      .addColumn('attachments', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('starts_on', 'text')
      .addColumn('ends_on', 'text')
      .addColumn('delivered', 'text')
      .addColumn('delivered_attachments', 'text')
      .addColumn('delivered_hash', 'text')
      .addColumn('delivered_at', 'bigint')
      .addColumn('cms_id', 'bigint')
      .addColumn('editor_state', 'text')
      .addColumn('password', 'text')
      .addColumn('upload_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('refused_hash', 'text')
      .addColumn('not_retried', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('retry_at', 'bigint')
      .addColumn('error_code', 'text')
      .addColumn('error_reason', 'text')
      .addColumn('claim_token', 'text')
      .addColumn('claim_holder', 'text')
      .addColumn('claim_until', 'bigint')
      .addColumn('quiet_since', 'bigint')
      .addColumn('create_unconfirmed', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('create_unconfirmed_before_claim', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('unconfirmed_payloads', 'text')
      .addColumn('delete_unconfirmed', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('is_adopted', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('missing_since', 'bigint')
      .addColumn('missing_runs', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('attributes_before_mark', 'text')
      .addColumn('before_image', 'text')
      .addColumn('expected_item_hash', 'text')
      .addPrimaryKeyConstraint('records_pk', ['sync', 'key'])
      .execute();
    await db.schema.createIndex('records_by_run').on('records').columns(['run', 'status']).execute();
    await db.schema.createIndex('records_by_cms_id').on('records').columns(['resource', 'cms_id']).execute();
    // Few are not delivered, and most questions are about them.
    await db.schema
      .createIndex('records_undelivered')
      .on('records')
      .columns(['sync', 'status'])
      .where('status' as never, '<>', 'delivered')
      .execute();
    await db.schema
      .createIndex('records_in_cms')
      .on('records')
      .columns(['sync', 'key'])
      .where('cms_id' as never, 'is not', null)
      .execute();

    await db.schema
      .createTable('staged_changes')
      .addColumn('run', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('op', 'text', (column) => column.notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .addColumn('resource', 'text')
      .addColumn('desired', 'text')
      .addColumn('attachments', 'text')
      .addColumn('hash', 'text')
      .addColumn('starts_on', 'text')
      .addColumn('ends_on', 'text')
      .addColumn('changed', 'text')
      .addColumn('previous_key', 'text')
      .addColumn('cms_id', 'bigint')
      .addColumn('delivered', 'text')
      .addColumn('delivered_attachments', 'text')
      .addColumn('editor_state', 'text')
      .addColumn('password', 'text')
      .addColumn('expected_item_hash', 'text')
      .addColumn('error_code', 'text')
      .addColumn('error_reason', 'text')
      .addPrimaryKeyConstraint('staged_changes_pk', ['run', 'key'])
      .$call(inOrderOfKeys(db))
      .execute();

    await db.schema
      .createTable('runs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('sync', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('part_of', 'text')
      .addColumn('undoes', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('target', 'text')
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .addColumn('complete', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('counts', 'text', (column) => column.notNull())
      .addColumn('receipt', 'text')
      .addColumn('fingerprint', 'text')
      .addColumn('warnings', 'text', (column) => column.notNull())
      .addColumn('error_code', 'text')
      .addColumn('error_message', 'text')
      .addColumn('held_set', 'text')
      .execute();
    // One run a sync at a time: the database itself says no to a second.
    await db.schema
      .createIndex('runs_one_running')
      .on('runs')
      .column('sync')
      .unique()
      .where('status' as never, '=', 'running')
      .execute();
    await db.schema.createIndex('runs_by_sync').on('runs').columns(['sync', 'started_at', 'id']).execute();
    await db.schema.createIndex('runs_by_time').on('runs').columns(['started_at', 'id']).execute();

    await db.schema
      .createTable('backfills')
      .addColumn('sync', 'text', (column) => column.primaryKey())
      .addColumn('run', 'text', (column) => column.notNull())
      .addColumn('from_day', 'text')
      .addColumn('to_day', 'text')
      .addColumn('total', 'integer')
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .addColumn('slice', 'text')
      .addColumn('turn_until', 'bigint')
      .addColumn('worked_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();

    await db.schema
      .createTable('backfill_work')
      .addColumn('backfill', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('op', 'text', (column) => column.notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('desired', 'text', (column) => column.notNull())
      .addColumn('attachments', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('starts_on', 'text')
      .addColumn('ends_on', 'text')
      .addColumn('previous_key', 'text')
      .addColumn('password', 'text')
      .addColumn('is_superseded', 'integer', (column) => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('backfill_work_pk', ['backfill', 'key'])
      .execute();
    await db.schema
      .createIndex('backfill_work_in_order')
      .on('backfill_work')
      .columns(['backfill', 'starts_on', 'key'])
      .execute();

    await db.schema
      .createTable('history')
      .addColumn('sync', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('run', 'text', (column) => column.notNull())
      .addColumn('settled_at', 'bigint', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('method', 'text')
      .addColumn('attributes', 'text')
      .addColumn('upload_count', 'integer', (column) => column.notNull())
      .addColumn('cms_id', 'bigint')
      .addColumn('before', 'text')
      .addColumn('replaced', 'text')
      .addColumn('after', 'text')
      .addColumn('error_code', 'text')
      .addColumn('error_reason', 'text')
      .addPrimaryKeyConstraint('history_pk', ['sync', 'key', 'seq'])
      .$call(inOrderOfKeys(db))
      .execute();
    await db.schema.createIndex('history_by_run').on('history').column('run').execute();
    await db.schema
      .createIndex('history_images')
      .on('history')
      .column('settled_at')
      .where(sql<boolean>`(before is not null or after is not null)`)
      .execute();

    await db.schema
      .createTable('rejections')
      .addColumn('run', 'text', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .addColumn('code', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('key', 'text')
      .addColumn('fields', 'text')
      .addPrimaryKeyConstraint('rejections_pk', ['run', 'seq'])
      .execute();

    await db.schema
      .createTable('uploads')
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('attribute', 'text', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('src', 'text', (column) => column.notNull())
      .addColumn('uploaded_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('uploads_pk', ['target', 'attribute', 'sha256'])
      .execute();

    await db.schema
      .createTable('remote_files')
      .addColumn('location_hash', 'text', (column) => column.primaryKey())
      .addColumn('etag', 'text')
      .addColumn('last_modified', 'text')
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('checked_at', 'bigint', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('targets')
      .addColumn('target', 'text', (column) => column.primaryKey())
      .addColumn('epoch', 'integer', (column) => column.notNull())
      .addColumn('paused_until', 'bigint')
      .addColumn('pause_reason', 'text')
      .addColumn('pauses', 'integer', (column) => column.notNull())
      .addColumn('probe_holder', 'text')
      .addColumn('probe_until', 'bigint')
      .addColumn('resumed_at', 'bigint')
      .addColumn('stopped_credentials_hash', 'text')
      .addColumn('stop_code', 'text')
      .addColumn('stop_reason', 'text')
      .addColumn('permits', 'text', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('run_totals')
      .addColumn('sync', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('runs', 'bigint', (column) => column.notNull())
      .addColumn('duration_ms', 'bigint', (column) => column.notNull())
      .addColumn('last_finished_at', 'bigint', (column) => column.notNull())
      .addColumn('read', 'bigint', (column) => column.notNull())
      .addColumn('created', 'bigint', (column) => column.notNull())
      .addColumn('updated', 'bigint', (column) => column.notNull())
      .addColumn('unchanged', 'bigint', (column) => column.notNull())
      .addColumn('rejected', 'bigint', (column) => column.notNull())
      .addColumn('failed', 'bigint', (column) => column.notNull())
      .addColumn('held', 'bigint', (column) => column.notNull())
      .addColumn('skipped', 'bigint', (column) => column.notNull())
      .addColumn('missing', 'bigint', (column) => column.notNull())
      .addColumn('deleted', 'bigint', (column) => column.notNull())
      .addColumn('marked', 'bigint', (column) => column.notNull())
      .addColumn('unremoved', 'bigint', (column) => column.notNull())
      .addColumn('uploaded', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('run_totals_pk', ['sync', 'kind', 'status'])
      .execute();

    await db.schema
      .createTable('alerts')
      .addColumn('sync', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('run', 'text', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .addColumn('pending_count', 'integer', (column) => column.notNull())
      .addColumn('sent_count', 'integer', (column) => column.notNull())
      .addColumn('last_sent_at', 'bigint')
      .addColumn('resolved_at', 'bigint')
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('retry_at', 'bigint')
      .addColumn('claim_token', 'text')
      .addColumn('claim_until', 'bigint')
      .addPrimaryKeyConstraint('alerts_pk', ['sync', 'kind', 'channel'])
      .execute();

    await db.schema
      .createTable('housekeeping')
      .addColumn('task', 'text', (column) => column.primaryKey())
      .addColumn('begun_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};

/**
 * Has SQLite keep a table in the order of its primary key, not in another one and an index beside: for tables of many rows
 * that are little more than their keys. What a run has staged is found and discarded many times as fast.
 */
function inOrderOfKeys(db: Kysely<unknown>) {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  return <Name extends string, Columns extends string>(table: CreateTableBuilder<Name, Columns>) =>
    isSqlite ? table.modifyEnd(sql`without rowid`) : table;
}
