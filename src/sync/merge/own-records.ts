import type { FeedReceipt } from '../../core/feed.ts';
import type { OwnRecord } from '../../ledger/members/open-clusters.ts';
import type { RunContext } from '../context/run-context.ts';
import { whenColumns } from '../plan/when-columns.ts';
import { eventHash, type MatchRule } from './same-event.ts';

const PAGE = 500;

type Readings = ReadonlyArray<{ receipt: FeedReceipt & { source: string } }>;

/**
 * Makes the records that a sync has published with one source members of that source, by their keys, so that its other sources are
 * compared with them. They keep their items and their keys. Records that the source no longer has, or that could not be read now, are
 * members that no reading has had.
 */
export async function takeOverOwnRecords(
  readings: Readings,
  rule: MatchRule,
  context: Pick<RunContext, 'ledger' | 'sync'>,
): Promise<void> {
  const { ledger, sync } = context;
  const records = await ledger.members.recordsOfNoSource(
    sync.name,
    readings.map(({ receipt }) => receipt.source),
  );
  const source = records.length > 0 ? await formerSource(records, readings, rule, context) : undefined;
  if (source === undefined) return;
  for (let start = 0; start < records.length; start += PAGE)
    await takeOver(source, records.slice(start, start + PAGE), rule, context);
}

async function takeOver(
  source: string,
  records: readonly OwnRecord[],
  rule: MatchRule,
  { ledger: { members }, sync }: Pick<RunContext, 'ledger' | 'sync'>,
): Promise<void> {
  const keyOf = ({ key }: OwnRecord) => `${source}/${key}`;
  const known = new Map((await members.membersBy('key', sync.name, records.map(keyOf))).map((one) => [one.key, one]));
  const published = await members.publishedAlone(
    sync.name,
    [...known.values()].flatMap(({ key, cluster }) => [key, cluster ?? key]),
  );
  // A source may have taken over a record of another sync under this key.
  const free = records.filter((record) => {
    const { key, cluster = key } = known.get(keyOf(record)) ?? { key: keyOf(record) };
    return !published.has(key) && !published.has(cluster);
  });
  const unread = free.filter((record) => !known.has(keyOf(record)));
  await members.putMembers(
    sync.name,
    unread.map(({ place, payload, attachments, occurrence, ...record }) => ({
      ...{ key: `${source}/${record.key}`, source, place, payload: JSON.stringify(payload), attachments },
      ...{
        source_hash: null,
        event_hash: eventHash(payload, rule),
        repeats: 0,
        read_in: '',
        read_no: 0,
        read_hash: null,
      },
      ...whenColumns({ payload, ...(occurrence && { occurrence }) }),
    })),
  );
  await members.setClusters(sync.name, new Map(free.map((record) => [keyOf(record), record.key])));
}

/** Returns the source that was the only one: the one that is read from the same place, or else the one that has the most of the records. */
async function formerSource(
  records: readonly OwnRecord[],
  readings: Readings,
  rule: MatchRule,
  { ledger, sync }: Pick<RunContext, 'ledger' | 'sync'>,
): Promise<string | undefined> {
  for (const { receipt } of readings) {
    if (await ledger.runs.lastWhole(sync.name, receipt.location)) return receipt.source;
  }
  return mostLike(
    readings.map(({ receipt }) => receipt.source),
    records,
    rule,
    { ledger, sync },
  );
}

/** Returns the source that has the most of some records, by key and as the same events; undefined: none has any. */
export async function mostLike(
  sources: readonly string[],
  records: ReadonlyArray<Pick<OwnRecord, 'key' | 'payload'>>,
  rule: MatchRule,
  { ledger, sync }: Pick<RunContext, 'ledger' | 'sync'>,
): Promise<string | undefined> {
  const scores = new Map<string, { same: number; keys: number }>();
  for (const source of sources) {
    const score = { same: 0, keys: 0 };
    for (let start = 0; start < records.length; start += PAGE) {
      const some = new Map(records.slice(start, start + PAGE).map((each) => [`${source}/${each.key}`, each]));
      for (const member of await ledger.members.membersBy('key', sync.name, [...some.keys()])) {
        score.keys += 1;
        const isSame = eventHash(member.payload, rule) === eventHash(some.get(member.key)?.payload ?? {}, rule);
        if (isSame) score.same += 1;
      }
    }
    scores.set(source, score);
  }
  const ranked = [...scores].toSorted(([, one], [, other]) => other.same - one.same || other.keys - one.keys);
  const [best] = ranked;
  return best && best[1].keys > 0 ? best[0] : undefined;
}
