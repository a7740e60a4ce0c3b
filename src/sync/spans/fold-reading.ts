import { addDays, dateAt } from '../../core/dates/iso-date.ts';
import { type Mapped, toText, type Withdrawal } from '../../core/record.ts';
import { mapAll, type ReadRecord, type Replacement, type SourceReading } from '../../core/source-reading.ts';
import type { KnownSpan } from '../../ledger/records/event-days.ts';
import type { RunContext } from '../context/run-context.ts';
import { coveredBy, isCoveredBy } from '../plan/coverage.ts';
import { type DaySpan, foldDays } from './fold-days.ts';
import { type DayRecord, NEAR, type SpanRule, spanRecord, toDay } from './span-record.ts';

/** An event remembers its days for so long after they are over: a source may still have them. */
const REMEMBERED_DAYS = 60;

/** A day in a reading. `reason`: it is outside the window. */
interface ReadDay extends DayRecord {
  read: ReadRecord;
  mapped: Mapped;
  reason?: string;
}

type FoldContext = Pick<RunContext, 'sync' | 'target'> &
  Partial<Pick<RunContext, 'ledger'>> & { runtime: Pick<RunContext['runtime'], 'now'> };

/**
 * Reads days that are one event as one record, if the sync says so. The event keeps its key, its item and its first day while the
 * source adds and drops days. Items that the site has of single days are replaced by it, and an event that is single days again by
 * these.
 * @param context without a ledger: nothing is known of the site
 * @param options `isPart`: the reading has some of the days only, as that of a backfill
 */
export function foldReading(
  reading: SourceReading,
  { sync, target, runtime, ledger }: FoldContext,
  { isPart = false } = {},
): SourceReading {
  if (sync.resource !== 'events') return reading;
  const takenOver = new Map<string, string>();
  const replacements: Replacement[] = [];
  const reasons = new Map<string, string>();
  let replaces = false;
  const unmappedRecords = readAll();
  return {
    ...reading,
    unmappedRecords,
    records: mapAll(unmappedRecords),
    get withdraws() {
      return reading.withdraws || replaces;
    },
    spans: { takenOver, replacements, replaced: reasons },
  };

  async function* readAll(): AsyncGenerator<ReadRecord> {
    const { recurrence } = sync;
    const before = new Map((await ledger?.records.spans(sync.name))?.map((span) => [span.key, span]));
    if (!recurrence && before.size === 0) return yield* reading.unmappedRecords;
    replaces = true;
    const owners = new Map([...before.values()].flatMap(({ key, days }) => Object.keys(days).map((day) => [day, key])));
    const days = new Map<string, ReadDay[]>();
    const rejected = new Map<string, string[]>();
    const withdrawn = new Map<string, Withdrawal>();
    const single = new Set<string>();
    for await (const read of reading.unmappedRecords) {
      const { key } = read;
      const owner = owners.get(key ?? '');
      if (owner !== undefined && read.withdrawn) withdrawn.set(owner, read.withdrawn);
      if (key === undefined || read.withdrawn || (!recurrence && owner === undefined)) {
        yield read;
        continue;
      }
      const mapped = await read.map();
      const day = recurrence && (await dayOf(read, mapped, recurrence));
      if (day) days.set(key, [...(days.get(key) ?? []), day]);
      else yield asRead(read, mapped, owner);
    }
    // Records that share their key are rejected later.
    const unique = [...days.values()].flatMap(([day, ...more]) => (day && more.length === 0 ? [day] : []));
    const spans = foldDays(unique, withNewKeys(unique, owners)).filter(isShown);
    const folded = new Set(spans.flatMap((span) => span.days.map(({ key }) => key)));
    for (const { key, read, mapped } of [...days.values()].flat()) if (!folded.has(key)) yield asRead(read, mapped);
    const isWhole = reading.receipt().complete && !isPart;
    if (recurrence) for (const span of spans) yield publish(span, recurrence, isWhole);
    yield* await replaced(spans);
    const published = new Set(spans.map(({ key }) => key));
    for (const span of before.values()) {
      if (published.has(span.key)) continue;
      const said = withdrawn.get(span.key);
      if (said) yield withdraw(span.key, said);
      else if (rejected.has(span.key)) yield skip(span.key, 'its days are rejected');
    }

    /** Some sources give all records new keys at each export: then an event is known by its content. */
    function withNewKeys(all: readonly ReadDay[], known: ReadonlyMap<string, string>): Map<string, string> {
      const read = new Set(all.flatMap(({ key }) => known.get(key) ?? []));
      const lost = Map.groupBy(before.values(), ({ key, like }) => (read.has(key) ? undefined : like));
      const found = all.flatMap(({ key, like, date }): Array<[string, string]> => {
        const isNear = ({ start, end }: KnownSpan) => addDays(start, -NEAR) <= date && date <= addDays(end, NEAR);
        const [span, ...others] = known.has(key) ? [] : (lost.get(like) ?? []).filter(isNear);
        return span && others.length === 0 ? [[key, span.key]] : [];
      });
      return new Map([...known, ...found]);
    }

    /** An event whose days are all outside the window is read like single ones, unless the site has it. */
    function isShown({ key, days: own }: DaySpan<ReadDay>): boolean {
      return before.has(key) || own.some(({ reason }) => reason === undefined);
    }

    function asRead(read: ReadRecord, mapped: Mapped, owner?: string): ReadRecord {
      const { key = '' } = read;
      const date = before.get(owner ?? '')?.days[key];
      if (owner !== undefined && date !== undefined && mapped.is === 'rejected')
        rejected.set(owner, [...(rejected.get(owner) ?? []), date]);
      if (mapped.is === 'desired') single.add(key);
      return { ...read, map: () => mapped };
    }

    function publish(span: DaySpan<ReadDay>, rule: SpanRule, whole: boolean): ReadRecord {
      const now = runtime.now();
      const coverage = coveredBy(sync, target, now);
      const record = spanRecord(span, {
        rule,
        timeTypes: sync.timeTypes,
        before: before.get(span.key),
        mayBeUnread: (payload) => !whole || !isCoveredBy(coverage, payload),
        rejected: rejected.get(span.key) ?? [],
        since: addDays(dateAt(now, target.timezone), -REMEMBERED_DAYS),
      });
      const { at, payload } = record;
      const { mapped } = span.days.at(-1) ?? span.days[0];
      const [hold] = span.days.flatMap((day) => (day.mapped.is === 'desired' ? (day.mapped.hold ?? []) : []));
      const warnings = mapped.is === 'desired' ? mapped.warnings : [];
      const desired: Mapped = { is: 'desired', record, warnings, ...(hold !== undefined && { hold }) };
      const reason = span.days.every((day) => day.reason !== undefined) ? span.days[0].reason : undefined;
      const result: Mapped =
        reason === undefined
          ? desired
          : { is: 'skipped', at, key: span.key, reason, beyond: { payload, map: () => desired } };
      return { at, key: span.key, fields: {}, isInWindow: () => true, map: () => result };
    }

    /** Withdraws the records whose items events replace, and the events that are single days again. */
    async function replaced(all: ReadonlyArray<DaySpan<ReadDay>>): Promise<ReadRecord[]> {
      const known = await ledger?.plans.publishedAmong(sync.name, [
        ...new Set([...folded, ...before.keys(), ...all.map(({ key }) => key)]),
      ]);
      const items = new Set(known?.map(({ key }) => key));
      const records: ReadRecord[] = [];
      const left = new Set([...before.keys()].filter((key) => items.has(key) && !all.some((span) => span.key === key)));
      for (const { key, days: own } of all) {
        const others = [...left].filter((other) => own.some((day) => owners.get(day.key) === other));
        for (const other of others) left.delete(other);
        const [first, ...more] = own.filter((day) => items.has(day.key));
        const title = toText(own[0].record.payload.title);
        for (const day of own) reasons.set(day.key, `it is a day of "${title}" (${key})`);
        for (const other of others) reasons.set(other, `its days are those of "${title}" (${key})`);
        const deletes = [...more.map((day) => day.key), ...others];
        if (first && (before.has(key) || items.has(key))) deletes.unshift(first.key);
        else if (first) takenOver.set(key, first.key);
        const count = deletes.length + (takenOver.has(key) || isOneDay(key) ? 1 : 0);
        const events = count === 1 ? `1 event "${title}" becomes part of one` : `${count} events "${title}" become one`;
        const message = `${events} that spans the days`;
        if (deletes.length > 0) replacements.push({ message, deletes, by: key });
        else if (takenOver.has(key)) reading.warnings.push({ at: own[0].record.at, message });
        records.push(...deletes.map((each) => withdraw(each, { as: 'replaced' })));
      }
      for (const key of left) {
        const own = Object.entries(before.get(key)?.days ?? {}).filter(([day]) => single.has(day));
        const [day] = own.find(([, date]) => isOneDay(key) && date === before.get(key)?.start) ?? [];
        if (day !== undefined) takenOver.set(day, key);
        if (day !== undefined || own.length === 0) continue;
        reasons.set(key, 'its days are events of their own');
        replacements.push({
          message: `one event that spans days (${key}) becomes ${own.length} events`,
          deletes: [key],
        });
        records.push(withdraw(key, { as: 'replaced' }));
      }
      return records;

      /** An undo may have made the item of the event that of its first day again. */
      function isOneDay(key: string): boolean {
        const span = before.get(key);
        return items.has(key) && span !== undefined && span.start === span.end;
      }
    }

    function withdraw(key: string, said: Withdrawal): ReadRecord {
      return { ...skip(key, `${said.as} in the feed`), withdrawn: { as: said.as } };
    }

    function skip(key: string, reason: string): ReadRecord {
      const at = 'feed';
      return { at, key, fields: {}, isInWindow: () => true, map: () => ({ is: 'skipped', at, key, reason }) };
    }
  }
}

async function dayOf(read: ReadRecord, mapped: Mapped, rule: SpanRule): Promise<ReadDay | undefined> {
  const reason = mapped.is === 'skipped' && mapped.beyond ? mapped.reason : undefined;
  const desired = mapped.is === 'skipped' && mapped.beyond ? await mapped.beyond.map() : mapped;
  const day = desired.is === 'desired' ? toDay(desired.record, rule) : undefined;
  return day && { ...day, read, mapped, ...(reason !== undefined && { reason }) };
}
