import type { Environment } from '../src/app/environment.ts';
import { openLedger } from '../src/ledger/ledger.ts';
import { timed } from './ledger-life.ts';
import { copyName, FIRST } from './many-syncs.ts';
import type { SqlClient } from './sql-client.ts';

const CLAIMS = 300;
const KEYS = 100;
const LEASE_MS = 60_000;

/** How long it takes to claim 100 records of a sync, in ms, for random syncs and records. */
export async function claimTimes(
  client: SqlClient,
  environment: Environment,
  { syncs, records }: { syncs: number; records: number },
): Promise<{ p50: number; p99: number }> {
  const ledger = await openLedger(environment);
  const times: number[] = [];
  for (let nth = 0; nth < CLAIMS; nth += 1) {
    const copy = random(syncs);
    const sync = copy === 0 ? FIRST : copyName(copy);
    const keys = [...new Set(Array.from({ length: KEYS }, () => String(random(records))))];
    const those = `sync = '${sync}' and key in (${keys.map((key) => `'${key}'`).join()})`;
    await client.all(`update records set status = 'pending' where ${those}`);
    let claimed = 0;
    times.push(
      await timed(async () => {
        claimed = (await ledger.records.claim(sync, keys, LEASE_MS)).length;
      }),
    );
    if (claimed !== keys.length)
      throw new Error(`${claimed} records of ${sync} were claimed instead of ${keys.length}`);
    await client.all(`update records set status = 'delivered', claim_until = null where ${those}`);
  }
  await ledger.close();
  const sorted = times.sort((one, other) => one - other);
  const share = (part: number) => sorted[Math.ceil(CLAIMS * part) - 1] ?? Number.NaN;
  return { p50: share(0.5), p99: share(0.99) };
}

function random(below: number): number {
  return Math.floor(Math.random() * below);
}
