import type { FeedReceipt, SourceReceipt } from '../../core/feed.ts';
import { sha256 } from '../../core/hash.ts';
import type { Mapped, Warning } from '../../core/record.ts';
import type { ReadRecord, SourceReading } from '../../core/source-reading.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import type { Member } from '../../ledger/members/members.ts';
import type { PublishedCluster } from '../../ledger/members/open-clusters.ts';
import { outside, windowDays } from '../../mapping/window.ts';
import type { RunContext } from '../context/run-context.ts';
import { coveredBy } from '../plan/missing-records.ts';
import { astrayIn, withdrawalIn } from './astray.ts';
import { recogniseMembers } from './changed-member-keys.ts';
import { movedAbout } from './form-clusters.ts';
import { joinMembers, openQuestions } from './join-members.ts';
import { mergeMembers } from './merge-members.ts';
import { type MembersRead, readMembers } from './read-members.ts';
import { recoverLost } from './recover-lost.ts';
import { mergeRulesOf } from './rules.ts';

const PAGE = 500;

type Rules = Awaited<ReturnType<typeof mergeRulesOf>>;
type Cluster = readonly [Member, ...Member[]];

/**
 * Reads all sources of a sync as one: first each source into its members, then the records that they are published as. The plan
 * of a run compares these records with the ledger, as those of a sync with one source. A record is left out only if all its
 * sources have proved that they no longer have it.
 * @throws CodedError FF_FEED_… if no source can be read
 */
export function readMerged(run: string, context: RunContext): SourceReading {
  const { sync, target, ledger, runtime } = context;
  const { sources = [] } = sync;
  const readings: Array<MembersRead & { readNo: number }> = [];
  const warnings: Warning[] = [];
  const leaving = new Map<string, number>();
  /** Members that are other events than their clusters, as people have said → the clusters of their own. */
  const split = new Map<string, string>();
  const window = windowDays(sync.window, target.timezone, runtime.now());
  const { from, to } = coveredBy(sync, target, runtime.now());
  const covered = { from, to };
  const unmappedRecords = readAll();
  return {
    open: async () => 'modified',
    unmappedRecords,
    records: mapAll(unmappedRecords),
    receipt: () => receiptOf(readings.map(({ receipt }) => receipt)),
    warnings,
    fields: new Set(),
    unmapped: new Map(),
    describeHtml: () => [],
    describeMissing: () => [],
    merged: { leaving },
  };

  async function* readAll(): AsyncGenerator<ReadRecord> {
    const rules = await mergeRulesOf(context);
    await readSources(rules);
    await ledger.members.reopenRemoved(sync.name);
    // What a lost ledger knew comes first: a new record may be one of its records with another key.
    await recoverLost(rules, context);
    await recogniseNewKeys();
    await joinMembers(rules, context);
    await noteQuestions(rules);
    // They hold for events to come.
    await ledger.answers.noteUse(sync.name, 'sameEvent', [...rules.answers.keys()]);
    await ledger.members.stageQuiet(run, sync.name, window);
    const proven = new Set(readings.flatMap(({ receipt, isProven }) => (isProven ? [receipt.source] : [])));
    for (let after = ''; ; ) {
      const clusters = await ledger.members.openClusters(run, sync.name, after, PAGE);
      const members = Map.groupBy(await ledger.members.membersOf(sync.name, clusters), ({ cluster = '' }) => cluster);
      const published = await ledger.members.published(sync.name, clusters);
      const rejected: StagedRow[] = [];
      for (const key of clusters) {
        const [first, ...others] = members.get(key) ?? [];
        const record =
          first && toRecord(key, { members: [first, ...others], before: published.get(key), proven }, rules);
        if (record === 'rejected') rejected.push({ run, key, place: first?.place ?? '', op: 'rejected' });
        else if (record) yield record;
      }
      await ledger.plans.add(rejected);
      // Their own records are planned by the next run.
      await ledger.members.setClusters(sync.name, split);
      if (clusters.length < PAGE) return;
      after = clusters.at(-1) ?? after;
    }
  }

  async function readSources(rules: Rules): Promise<void> {
    const before = await ledger.readings.readings(sync.name);
    for (const source of sources) {
      const rejectedBefore = readings.reduce((sum, { receipt }) => sum + receipt.rejected, 0);
      const readable = { source, before: before.get(source.name), rule: rules, rejectedBefore };
      const reading = await readMembers(run, readable, context);
      readings.push({ ...reading, readNo: (readable.before?.wholeCount ?? 0) + 1 });
      warnings.push(...reading.warnings);
    }
    const [first] = readings;
    if (first?.error && readings.every(({ error }) => error)) throw first.error;
    for (const { error, receipt } of readings) {
      if (error)
        warnings.push({ at: receipt.source, message: `Not read: ${error.message} Its records stay as they are.` });
    }
  }

  /** Recognises the records to which their sources have given new keys, and forgets those that were never published. */
  async function recogniseNewKeys(): Promise<void> {
    for (const { receipt, isProven, readNo } of readings) {
      if (!isProven || receipt.isUnmodified) continue;
      const { source } = receipt;
      const recognised = await recogniseMembers(source, readNo, context);
      await ledger.members.forgetMembers(sync.name, source, readNo);
      if (recognised === 0) continue;
      const message = `${recognised} records have new keys; they were recognised by their content`;
      warnings.push({ at: source, message });
    }
  }

  /** A question does not make a run partial: the other source publishes the event. */
  async function noteQuestions(rules: Rules): Promise<void> {
    const waiting = new Set<string>();
    for await (const { member } of openQuestions(rules, context)) waiting.add(member.key);
    if (waiting.size === 0) return;
    const records = waiting.size === 1 ? '1 record may be an event' : `${waiting.size} records may be events`;
    const message = `${records} that another source has. Answer: \`feedferry questions ${sync.name}\``;
    warnings.push({ at: 'feed', message });
  }

  function toRecord(
    key: string,
    cluster: { members: Cluster; before?: PublishedCluster; proven: ReadonlySet<string> },
    rules: Rules,
  ): ReadRecord | 'rejected' | undefined {
    const { members, before, proven } = cluster;
    const isRead = (member: Member) => member.missedReadings === 0 || !proven.has(member.source);
    const present = members.filter((member) => isRead(member) && !isGone(member));
    const read = { at: members[0].place, key, fields: {}, isInWindow };
    if (present.length === 0) {
      // A delete by the source needs no further proof.
      const isDeleted = members.some(({ state }) => state === 'deleted');
      const skipped = { is: 'skipped', at: read.at, key, reason: 'deleted by the source', deleted: true } as const;
      return isDeleted ? { ...read, map: () => skipped } : undefined;
    }
    if (members.some(({ state }) => state === 'duplicate') || present.every(({ state }) => state)) return 'rejected';
    // Without an answer, no source carries on what a better one has withdrawn: the record counts as missing.
    if (withdrawalIn(members, rules)) return undefined;
    const [first, ...others] = members.filter((member) => !isGone(member) && (isRead(member) || !hasLeft(member)));
    if (!first) return undefined;
    const staying: Cluster = [first, ...others];
    const { publisher: best, members: strays } = astrayIn(staying, rules);
    const isOther = (member: Member) =>
      strays.includes(member) && rules.answers.get(movedAbout(member, best)) === 'distinct';
    for (const member of staying)
      if (isOther(member)) split.set(member.key, member.key === key ? `${key} (2)` : member.key);
    const astray = new Set(strays.map((member) => member.key));
    const [one = best, ...more] = staying.filter((member) => !isOther(member));
    const merged = mergeMembers({ members: [one, ...more], astray, ...(before && { before }) }, rules);
    noteLeaving(members, merged.publisher, before);
    const { publisher, payload, attachments, givenBy, sourceHash } = merged;
    return {
      ...{ ...read, at: publisher.place },
      ...(sourceHash !== undefined && { sourceHash }),
      map(): Mapped {
        const reason = outside(window, payload);
        if (reason !== undefined) return { is: 'skipped', at: publisher.place, key, reason };
        const { occurrence } = publisher;
        const record = { at: publisher.place, key, resource: sync.resource, payload, attachments, givenBy };
        return {
          is: 'desired',
          record: { ...record, ...(occurrence && { occurrence }) },
          warnings: [],
          ...(sourceHash !== undefined && { sourceHash }),
        };
      },
    };
  }

  function isInWindow(days: Parameters<ReadRecord['isInWindow']>[0]): boolean {
    return outside(window, days) === undefined;
  }

  /** Whether a member counts as missing for long enough that another source takes over. Sources drop past events. */
  function hasLeft({ payload, missedReadings, missedSince = 0 }: Member): boolean {
    const { missing } = sync;
    if (missing.policy === 'keep' || outside(covered, payload) !== undefined) return false;
    const { after } = missing;
    return 'runs' in after ? missedReadings >= after.runs : runtime.now() - missedSince >= after.ms;
  }

  function noteLeaving(members: Cluster, { source }: Member, before: PublishedCluster | undefined): void {
    const former = before?.givenBy[''];
    if (former === undefined || former === source) return;
    const left = members.find((member) => member.source === former);
    if (left && left.missedReadings > 0) leaving.set(former, (leaving.get(former) ?? 0) + 1);
  }
}

/** Whether a source no longer wants a member to be published. */
function isGone({ state }: Member): boolean {
  return state === 'deleted' || state === 'withdrawn';
}

/** One receipt for several sources: it is complete if all of them are. */
function receiptOf(sources: SourceReceipt[]): FeedReceipt {
  const incomplete = sources.find(({ complete }) => !complete);
  const sum = (of: (receipt: SourceReceipt) => number) => sources.reduce((total, receipt) => total + of(receipt), 0);
  return {
    location: sources.map(({ location }) => location).join(', '),
    bytes: sum(({ bytes }) => bytes),
    sha256: sha256(sources.map((receipt) => receipt.sha256).join(' ')),
    durationMs: sum(({ durationMs }) => durationMs),
    complete: incomplete === undefined && sources.length > 0,
    ...(incomplete && { reason: `${incomplete.source}: ${incomplete.reason ?? 'it was not read'}` }),
    sources,
  };
}

async function* mapAll(records: AsyncIterable<ReadRecord>): AsyncGenerator<Mapped> {
  for await (const record of records) yield record.map();
}
