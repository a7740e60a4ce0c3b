import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { expect, test } from 'vitest';
import { hasEngine } from '../../support/engines.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

const talks = Array.from({ length: 40 }, (_, at) => `T${at},Talk ${at},2027-03-01,1${at % 10}:00`);

/** Runs a sync whose ledger cannot be written from the fifth create on. */
async function runOutOfSpace(site: Site, proxy: RecordingProxy, fill: () => unknown): Promise<void> {
  site.variables.CMS_BASE_URL = proxy.url;
  writeTalksSync(site);
  writeTalks(site, talks);
  let creates = 0;
  proxy.intercept = async ({ operation }) => {
    if (operation.startsWith('POST') && ++creates === 5) await fill();
    return undefined;
  };
  const ended = await runHere(['sync', '--json'], site.variables);
  expect(ended.exitCode).toBe(1);
  expect(ended.stdout + ended.stderr).toContain('FF_LEDGER_FULL');
}

/** A disk on which the ledgers that are opened from now on are full while `isFull`. */
function smallDisk(which: RegExp) {
  const { prepare, exec } = DatabaseSync.prototype;
  const disk = { isFull: false, [Symbol.dispose]: () => void Object.assign(DatabaseSync.prototype, { prepare, exec }) };
  const check = (database: DatabaseSync, text: string) => {
    const isLedger = database.location()?.endsWith('ledger.sqlite');
    if (isLedger && disk.isFull && which.test(text))
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
  };
  DatabaseSync.prototype.prepare = function (text) {
    const statement = prepare.call(this, text);
    const { all, run } = statement;
    const checked =
      (call: (...values: never[]) => unknown) =>
      (...values: unknown[]) => {
        check(this, text);
        return Reflect.apply(call, statement, values);
      };
    return Object.assign(statement, { all: checked(all), run: checked(run) });
  };
  return disk;
}

test.each([
  ['what grows', /^\s*(insert|update "?records)/i],
  ['anything', /^\s*(insert|update|delete)/i],
])('A run whose disk is full ends with the reason: %s cannot be written', async (_, which) => {
  await using site = await openSite(simplest);
  await using proxy = await startRecordingProxy(site.sandbox.url);
  using disk = smallDisk(which);
  await runOutOfSpace(site, proxy, () => {
    disk.isFull = true;
  });
});

test.runIf(hasEngine('postgresql'))('So does one whose PostgreSQL is out of space', async () => {
  await using site = await openSite({ ledger: 'postgresql', queue: 'in-process' });
  await using proxy = await startRecordingProxy(site.sandbox.url);
  const client = new pg.Client({ connectionString: site.variables.DATABASE_URL });
  await client.connect();
  await client.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  try {
    const refuse = 'create trigger refusing before update on records execute function refuse()';
    await runOutOfSpace(site, proxy, () => client.query(refuse));
  } finally {
    await client.end();
  }
});
