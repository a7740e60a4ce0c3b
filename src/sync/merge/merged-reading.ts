import { type DayRange, dateAt } from '../../core/dates/iso-date.ts';
import { joinReceipts } from '../../core/feed.ts';
import type { Mapped, Warning } from '../../core/record.ts';
import { mapAll, type ReadRecord, type SourceReading } from '../../core/source-reading.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import { compileRules, withBrokenRules } from '../../mapping/judge-rules.ts';
import { outside, windowDays } from '../../mapping/window.ts';
import type { RunContext } from '../context/run-context.ts';
import { answersByKey } from '../plan/changed-keys.ts';
import { coveredBy, isCoveredBy } from '../plan/coverage.ts';
import { judgeMembers, type WaitingMember } from './changed-member-keys.ts';
import { questionsAboutEvents } from './event-questions.ts';
import { joinMembers } from './join-members.ts';
import { type ClusterFacts, type ClusterVerdict, judgeCluster, leavingRuleOf } from './judge-cluster.ts';
import { takeOverOwnRecords } from './own-records.ts';
import { type MembersRead, readMembers } from './read-members.ts';
import { recoverLost } from './recover-lost.ts';
import { mergeRulesOf } from './rules.ts';

const PAGE = 500;

type Rules = Awaited<ReturnType<typeof mergeRulesOf>>;

/**
 * Reads all sources of a sync as one: first each source into its members, then the records that they are published as. The plan
 * of a run compares these records with the ledger, as those of a sync with one source. A record is left out only if all its
 * sources have proved that they no longer have it.
 * @param backfill the days of a backfill: then only what the sources have on these days is read, and no record is missing
 * @throws CodedError FF_FEED_… if no source can be read
 */
export function readMerged(run: string, context: RunContext, backfill?: DayRange): SourceReading {
  const { sync, target, ledger, runtime, isPlan } = context;
  const { sources = [] } = sync;
  const readings: Array<MembersRead & { readNo: number }> = [];
  const warnings: Warning[] = [];
  const leaving = new Map<string, number>();
  const asked = new Map<string, string>();
  const now = runtime.now();
  const judgeRules = compileRules(sync.rules);
  const today = () => dateAt(now, target.timezone);
  const windows = new Map(
    sources.map(({ name, sync: { window } }) => [name, backfill ?? windowDays(window, target.timezone, now)]),
  );
  const coveredByAny = coveredBy(sync, target, now);
  const leavingRule = leavingRuleOf(context);
  const answerWith = `Answer: \`feedferry questions ${sync.name}\`${isPlan ? ', which has new ones after the next run' : ''}`;
  const unmappedRecords = readAll();
  return {
    open: async () => 'modified',
    unmappedRecords,
    records: mapAll(unmappedRecords),
    receipt: () => {
      const receipts = readings.map(({ receipt }) => receipt);
      return { ...joinReceipts(receipts), sources: receipts };
    },
    withdraws: true,
    warnings,
    fields: new Set(),
    unmapped: new Map(),
    describeHtml: () => [],
    describeMissing: () => [],
    merged: { leaving, asked, isWhole: backfill === undefined },
  };

  async function* readAll(): AsyncGenerator<ReadRecord> {
    const matchRule = await mergeRulesOf(context);
    const isRecovered = await recoverLost(matchRule, context);
    await readSources(matchRule);
    if (backfill === undefined) await takeOverOwnRecords(readings, matchRule, context);
    await ledger.members.reopenRemoved(sync.name);
    // What a lost ledger knew comes first: a new record may be one of its records with another key.
    if (!isRecovered) await recoverLost(matchRule, context);
    const members = await judgeNewKeys();
    const rules = { ...(await mergeRulesOf(context)), waiting: new Set(members.map(({ member }) => member.key)) };
    let waiting = 0;
    for await (const joined of joinMembers(rules, context)) waiting += joined.waiting;
    const readOnly = backfill !== undefined;
    await ledger.members.stageQuiet(run, sync.name, windows, { readOnly });
    const proven = new Set(readings.flatMap(({ receipt, isProven }) => (isProven ? [receipt.source] : [])));
    /** The members that are other events than their clusters → no cluster. */
    const strangers = new Map<string, null>();
    for (let after = ''; ; ) {
      const clusters = await ledger.members.openClusters(run, sync.name, { after, limit: PAGE, readOnly });
      yield* judge(clusters);
      if (clusters.length < PAGE) break;
      after = clusters.at(-1) ?? after;
    }
    if (strangers.size > 0) {
      await ledger.members.setClusters(sync.name, strangers);
      waiting = 0;
      for await (const joined of joinMembers(rules, context)) {
        waiting += joined.waiting;
        yield* judge(joined.founded);
      }
    }
    for (const { member, home, other } of members) {
      const facts: ClusterFacts = { members: [member], proven };
      const record = toRecord(home, { ...facts, verdict: judgeCluster(facts, rules, leavingRule) });
      if (!record) continue;
      asked.set(home, other);
      yield record;
    }
    noteQuestions(waiting);
    await noteDoubts();

    async function* judge(clusters: readonly string[]): AsyncGenerator<ReadRecord> {
      const members = Map.groupBy(
        await ledger.members.membersBy('cluster', sync.name, clusters),
        ({ cluster = '' }) => cluster,
      );
      const published = await ledger.members.published(sync.name, clusters);
      const rejected: StagedRow[] = [];
      const astray = new Map<string, boolean>();
      for (const key of clusters) {
        const [first, ...others] = members.get(key) ?? [];
        if (!first) continue;
        const facts: ClusterFacts = { members: [first, ...others], before: published.get(key), proven };
        const verdict = judgeCluster(facts, rules, leavingRule);
        if (verdict.is === 'published') {
          noteLeaving(verdict);
          for (const { key: own } of verdict.strangers) strangers.set(own, null);
          for (const member of facts.members) {
            const isAstray = verdict.astray.has(member.key);
            if (isAstray !== (member.astray !== undefined)) astray.set(member.key, isAstray);
          }
        }
        if (verdict.is === 'rejected') rejected.push({ run, key, place: first.place, op: 'rejected' });
        const record = toRecord(key, { ...facts, verdict });
        if (record) yield record;
      }
      await ledger.plans.add(rejected);
      await ledger.members.markAstray(sync.name, astray);
    }
  }

  async function readSources(rules: Rules): Promise<void> {
    const before = await ledger.readings.readings(sync.name);
    for (const source of sources) {
      const rejectedBefore = readings.reduce((sum, { receipt }) => sum + receipt.rejected, 0);
      const last = before.get(source.name);
      // A backfill says only what the last reading may not have seen: what it has not read is not missing.
      const readNo = backfill ? (last?.wholeNo ?? 0) : await ledger.readings.beginReading(sync.name, source.name);
      const readable = { source, before: last, readNo, rule: rules, rejectedBefore, backfill };
      const reading = await readMembers(run, readable, context);
      // What is unmodified is as the last complete reading has it.
      readings.push({ ...reading, readNo: reading.receipt.isUnmodified ? (last?.wholeNo ?? 0) : readNo });
      warnings.push(...reading.warnings);
    }
    const [first] = readings;
    if (first?.error && readings.every(({ error }) => error)) throw first.error;
    for (const { error, receipt } of readings) {
      if (error)
        warnings.push({ at: receipt.source, message: `Not read: ${error.message} Its records stay as they are.` });
    }
  }

  /**
   * Recognises the records to which their sources have given new keys, and forgets those that were never published.
   * @returns those that may be such records
   */
  async function judgeNewKeys(): Promise<WaitingMember[]> {
    const waiting: WaitingMember[] = [];
    const answers = answersByKey(await ledger.questions.answered(sync.name));
    for (const { receipt, isProven, readNo } of readings) {
      const { source } = receipt;
      const judged = await judgeMembers({ source, readNo, isWhole: isProven }, answers, context);
      waiting.push(...judged.asked);
      if (isProven) await ledger.members.forgetMembers(sync.name, source, readNo);
      if (judged.recognised === 0) continue;
      const message = `${judged.recognised} records have new keys; they were recognised by their content`;
      warnings.push({ at: source, message });
    }
    return waiting;
  }

  function noteLeaving({ leaving: source }: { leaving?: string }): void {
    if (source !== undefined) leaving.set(source, (leaving.get(source) ?? 0) + 1);
  }

  /** A question does not make a run partial: the other source publishes the event. */
  function noteQuestions(waiting: number): void {
    if (waiting === 0) return;
    const records = waiting === 1 ? '1 record may be an event' : `${waiting} records may be events`;
    const message = `${records} that another source has. ${answerWith}`;
    warnings.push({ at: 'feed', message });
  }

  /** Events that were joined may be asked about later: their records are compared only if there may be such a question. */
  async function noteDoubts(): Promise<void> {
    if (!(await ledger.members.hasDoubts(sync.name))) return;
    const asked = (await questionsAboutEvents(context)).filter(
      ({ why }) => why === 'moved' || why === 'withdrawn',
    ).length;
    if (asked === 0) return;
    const events = asked === 1 ? '1 event is' : `${asked} events are`;
    const message = `${events} no longer surely the same in all sources. ${answerWith}`;
    warnings.push({ at: 'feed', message });
  }

  /** Returns the record of a cluster; undefined: the plan has none for it, or the record stays as it is. */
  function toRecord(key: string, { members, before, verdict }: ClusterFacts & { verdict: ClusterVerdict }) {
    const [first] = members;
    const reasons = members.map(({ source, payload }) => outside(windows.get(source) ?? {}, payload));
    // A source says nothing about what is outside its window.
    const isInWindow = reasons.includes(undefined);
    const read = { at: first.place, key, fields: {}, isInWindow: () => isInWindow };
    const skipped = (reason: string) => ({ is: 'skipped' as const, at: read.at, key, reason });
    if (verdict.is === 'withdrawn') {
      const { as } = verdict;
      const warning = as === 'deleted' ? undefined : `the event is ${as}, and not published`;
      return { ...read, withdrawn: { as, ...(warning && { warning }) }, map: () => skipped(`${as} in the feed`) };
    }
    if (verdict.is === 'outside') {
      // It does not count as missing, because another source may publish these days.
      return isCoveredBy(coveredByAny, (before ?? first).payload)
        ? { ...read, map: () => skipped('outside the window of a source') }
        : undefined;
    }
    if (verdict.is !== 'published') return undefined;
    const { publisher, payload, attachments, givenBy, sourceHash } = verdict.record;
    const { place: at, occurrence } = publisher;
    const hashed = sourceHash !== undefined && { sourceHash };
    const record = {
      at,
      key,
      resource: sync.resource,
      payload,
      attachments,
      givenBy,
      ...(occurrence && { occurrence }),
    };
    return {
      ...{ ...read, at, ...hashed },
      map(): Mapped {
        const desired = () => {
          const mapped = { is: 'desired', record, warnings: [], ...hashed } as const;
          return withBrokenRules({ ...mapped, warnings: [] }, judgeRules(record, today));
        };
        if (isInWindow) return desired();
        const reason = reasons.find((each) => each !== undefined) ?? '';
        return { ...skipped(reason), at, beyond: { payload, map: desired } };
      },
    };
  }
}
