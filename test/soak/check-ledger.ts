import { openLedger } from '../../src/ledger/ledger.ts';
import type { Finding } from '../crash/checks/finding.ts';
import type { Place } from '../crash/place.ts';
import type { SoakFeed } from './feed.ts';
import { ledgerOf, lookAtLedger } from './sample.ts';

/** Deliveries that the ledger remembers of a record; those of the runs that come after a trim are more. */
const ATTEMPTS_OF_A_RECORD = 25;
/** Pictures, each uploaded for one attribute. */
const UPLOADS = 40;
const BYTES_OF_A_RECORD = 8_000;
const BYTES_OF_A_RUN = 2_000;
/** Tables and indices that have nothing in them, what a vacuum has not taken back, a write-ahead log. */
const BYTES_AT_LEAST = 8_000_000;

/** Whether nothing is left to be done, and nothing was kept that should not be. */
export async function checkLedger(feeds: readonly SoakFeed[], place: Place): Promise<Finding[]> {
  const { rows, bytes } = await lookAtLedger(place);
  const records = feeds.reduce((sum, feed) => sum + feed.records, 0);
  const { runs = 0 } = rows;
  const bounds = { staged: 0, records, attempts: records * ATTEMPTS_OF_A_RECORD, uploads: UPLOADS };
  const mostBytes = BYTES_AT_LEAST + records * BYTES_OF_A_RECORD + runs * BYTES_OF_A_RUN;
  return [
    ...Object.entries(bounds).flatMap(([table, most]): Finding[] => {
      const found = rows[table] ?? 0;
      return found <= most
        ? []
        : [{ is: 'other', what: `the table ${table} has ${found} rows instead of ${most} at most` }];
    }),
    ...(bytes <= mostBytes
      ? []
      : [{ is: 'other', what: `the ledger has ${bytes} bytes of ${mostBytes} at most` } as const]),
    ...(await checkUndelivered(feeds, place)),
  ];
}

/** What its feed has must be delivered; what came and went while the CMS was unwell may have failed. */
async function checkUndelivered(feeds: readonly SoakFeed[], place: Place): Promise<Finding[]> {
  const ledger = await openLedger(ledgerOf(place));
  try {
    const found = await Promise.all(
      feeds.map(async (feed) => {
        const absent = new Set(feed.absent());
        const { first } = await ledger.records.undelivered(feed.sync.name);
        return first
          .filter(({ key, status }) => status === 'pending' || !absent.has(key))
          .map(({ key, status, reason }) => `${feed.sync.name}:${key} is ${status} in the end: ${reason}`);
      }),
    );
    return found.flat().map((what) => ({ is: 'lost', what }));
  } finally {
    await ledger.close();
  }
}
