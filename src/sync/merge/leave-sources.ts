import type { Payload, Warning } from '../../core/record.ts';
import type { RunContext } from '../context/run-context.ts';
import { mostLike } from './own-records.ts';
import { mergeRulesOf } from './rules.ts';

/**
 * Makes the records of the source that remains of several the sync's own, by their keys. The records of the others stay as they are.
 * @param run a run of the sync that has staged nothing yet
 * @returns warnings of the items that stay although no source has them
 * @throws CodedError FF_FEED_… if the source cannot be read
 */
export async function leaveOtherSources(run: string, context: RunContext): Promise<Warning[]> {
  const { ledger, sync } = context;
  if (sync.sources) return [];
  const former = await ledger.plans.formerSources(sync.name);
  if (!former.some(({ isOpen }) => isOpen)) return warningsOf(former);
  await leave(run, context);
  return warningsOf(await ledger.plans.formerSources(sync.name));
}

const remedy =
  'To delete them, make it a source again, of a feed without records, with `ignoreSigns: [empty]`, and with `missing: { policy: delete, after: 1 run }` in the sync.';

async function leave(run: string, context: RunContext): Promise<void> {
  const { ledger, sync, signal } = context;
  const before = await ledger.readings.readings(sync.name);
  const reading = context.readSource({ signal, includesWithdrawn: true });
  const records: Array<{ key: string; payload: Payload }> = [];
  for await (const mapped of reading.records) if (mapped.is === 'desired') records.push(mapped.record);
  const { location } = reading.receipt();
  const samePlace = [...before].flatMap(([source, { receipt }]) => (receipt.location === location ? [source] : []));
  // Without records and at another place, it may be any of them: a later run knows.
  if (records.length === 0 && samePlace.length === 0) return;
  const candidates = samePlace.length > 0 ? samePlace : [...before.keys()];
  const source = (await mostLike(candidates, records, await mergeRulesOf(context), context)) ?? samePlace[0];
  await ledger.plans.leaveSources(run, sync.name, source);
}

function warningsOf(former: ReadonlyArray<{ source: string; items: number; isOpen: boolean }>): Warning[] {
  const left = former.filter(({ items, isOpen }) => items > 0 && !isOpen);
  return left.map(({ source, items }) => {
    const subject = items === 1 ? '1 item stays' : `${items} items stay`;
    const message = `${subject} on the site from "${source}", which is no longer a source. ${remedy}`;
    return { at: 'feed', message };
  });
}
