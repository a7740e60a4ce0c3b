import { randomUUID } from 'node:crypto';
import { chmodSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inspectLedger } from '../../../src/ledger/database/inspect.ts';
import { openDatabase, sqliteFile } from '../../../src/ledger/database/open.ts';
import { createDatabase, hasEngine, temporaryDir } from '../../support/engines.ts';

function dataDir(): string {
  const dir = temporaryDir();
  onTestFinished(() => dir[Symbol.dispose]());
  return dir.path;
}

async function open(options: { dataDir: string; databaseUrl?: string }) {
  const { db } = await openDatabase(options);
  onTestFinished(() => db.destroy());
  return db;
}

test('Only its user may read a ledger, also one of an earlier version', async () => {
  const dir = dataDir();
  const file = sqliteFile(dir);
  const modes = () => [file, `${file}-wal`, `${file}-shm`].map((path) => statSync(path).mode & 0o777);
  const db = await open({ dataDir: dir });
  expect(modes()).toEqual([0o600, 0o600, 0o600]);
  chmodSync(file, 0o644);
  chmodSync(`${file}-wal`, 0o644);
  await open({ dataDir: dir });
  expect(modes()).toEqual([0o600, 0o600, 0o600]);
  await db.selectFrom('runs').selectAll().execute();
});

test('A full disk is reported as such', async () => {
  const db = await open({ dataDir: dataDir() });
  await sql`pragma max_page_count = 1`.execute(db);
  await sql`create table filler (text text)`.execute(db).catch(() => {});
  const fill = async () => {
    for (;;)
      await sql`insert into housekeeping (task, begun_at) values (${randomUUID() + 'x'.repeat(10_000)}, 1)`.execute(db);
  };
  await expect(fill()).rejects.toMatchObject({ code: 'FF_LEDGER_FULL' });
});

test('A file that is no database, or a damaged one, is reported as such, to doctor too', async () => {
  const text = dataDir();
  writeFileSync(sqliteFile(text), 'not a database'.repeat(1000));
  const damaged = dataDir();
  const db = await open({ dataDir: damaged });
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
  truncateSync(sqliteFile(damaged), 40_960);
  for (const dir of [text, damaged]) {
    await expect(inspectLedger({ dataDir: dir })).rejects.toMatchObject({ code: 'FF_LEDGER_DAMAGED' });
  }
  await expect(openDatabase({ dataDir: text })).rejects.toMatchObject({ code: 'FF_LEDGER_DAMAGED' });
});

test('A write waits for a process that has locked the ledger, also if the clock is set meanwhile', async () => {
  const dir = dataDir();
  const db = await open({ dataDir: dir });
  const other = new DatabaseSync(sqliteFile(dir));
  onTestFinished(() => other.close());
  other.exec('begin immediate');
  const write = sql`insert into housekeeping (task, begun_at) values ('waits', 1)`.execute(db);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 7_200_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const settled = await Promise.race([
    write.then(
      () => 'written',
      () => 'failed',
    ),
    sleep(200, 'waiting'),
  ]);
  expect(settled).toBe('waiting');
  other.exec('commit');
  await write;
});

test.runIf(hasEngine('postgresql'))('PostgreSQL without free connections is reported as such', async () => {
  const { url, drop } = await createDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const role = `role_${randomUUID().slice(0, 8)}`;
  await client.query(`create role ${role} login password 'x' connection limit 0`);
  onTestFinished(async () => {
    await client.query(`drop role ${role}`);
    await client.end();
    await drop();
  });
  const limited = new URL(url);
  limited.username = role;
  limited.password = 'x';
  await expect(openDatabase({ dataDir: '', databaseUrl: limited.href })).rejects.toMatchObject({
    code: 'FF_LEDGER_UNAVAILABLE',
    message: expect.stringContaining('no more connections'),
    remedy: expect.stringContaining('max_connections'),
  });
});

test('A pooler that refuses the limit for idle transactions is named, and what to write in its config', async () => {
  const reason = 'unsupported startup parameter: idle_in_transaction_session_timeout';
  const fields = Buffer.from(`SFATAL\0C08P01\0M${reason}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  const pooler = createServer((socket) => socket.once('data', () => socket.end(Buffer.concat([head, fields]))));
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void pooler.close());
  const { port } = pooler.address() as AddressInfo;
  await expect(openDatabase({ dataDir: '', databaseUrl: `postgresql://x@127.0.0.1:${port}/x` })).rejects.toMatchObject({
    code: 'FF_LEDGER_UNAVAILABLE',
    message: `PgBouncer, or a similar pooler, refused the connection to the ledger 127.0.0.1:${port}/x: ${reason}`,
    remedy: expect.stringContaining('ignore_startup_parameters'),
  });
});
