import { clockAt } from '../../core/dates/iso-date.ts';
import type { Member } from '../../ledger/members/members.ts';
import type { RunContext } from '../context/run-context.ts';
import { judgeSameness } from '../sameness/judge-sameness.ts';
import type { Known } from '../sameness/things.ts';
import { aboutRenamed, type NewNames } from './form-clusters.ts';
import { seriesName } from './same-event.ts';

/** Of the item of a record only whether there is one matters here. */
const UNNAMED = 0;

/** What a reading of a source says about its records under new keys. */
interface MemberKeys {
  /** How many are members that the reading lacks. They stay in their clusters, and what people have said about them holds. */
  recognised: number;
  /** Those that may be: a person is asked. */
  asked: WaitingMember[];
}

/** A member that waits for an answer whether its source has only given it a new key. */
export interface WaitingMember {
  member: Member;
  /** Key of the record that waits, */
  home: string;
  /** and of the one that it may be. */
  other: string;
}

interface SourceRead {
  source: string;
  /** Number of its reading. */
  readNo: number;
  /** Whether the source no longer has what the reading lacks. */
  isWhole: boolean;
}

/**
 * Judges the new members of a source as the records of a sync are judged: a reading may lack some members because they have other keys
 * in it.
 * @param answers what people have said, by the keys of the records
 */
export async function judgeMembers(
  { source, readNo, isWhole }: SourceRead,
  answers: Known['answers'],
  context: RunContext,
): Promise<MemberKeys> {
  const { ledger, sync } = context;
  const fresh = await ledger.members.newMembers(sync.name, source, isWhole ? readNo : 0);
  const homes = await ledger.members.takenHomes(
    sync.name,
    fresh.map(({ key }) => key),
  );
  const comers = fresh.map((member) => ({ ...toCandidate(member), key: homes.get(member.key) ?? member.key }));
  const known = {
    answers,
    isWhole,
    areRecognised: false,
    total: fresh.length,
    showsKeys: false,
    constants: new Set<string>(),
  };
  const found: MemberKeys = { recognised: 0, asked: [] };
  // What a reading has had together with a new member is another event.
  for (const [no, together] of Map.groupBy(comers, ({ member }) => member.readNo)) {
    const gone = await knownBefore(source, no, context);
    if (gone.length === 0) continue;
    const { links, asked } = judgeSameness(
      { gone, fresh: together, kept: [] },
      {
        ...known,
        kept: await ledger.members.occurrencesSeen(sync.name, source, no),
        now: clockAt(context.runtime.now(), context.target.timezone),
      },
    );
    await rename(
      links.map(({ old, found }) => ({ old: old.member, found: found.member })),
      context,
    );
    found.recognised += links.length;
    found.asked.push(...asked.map(({ old, found }) => ({ member: found.member, home: found.key, other: old.key })));
  }
  return found;
}

/** The members of a source that no reading from this number on has had, by the keys of their records. */
async function knownBefore(source: string, readNo: number, { ledger: { members }, sync }: RunContext) {
  const missed = await members.missedMembers(sync.name, source, readNo);
  const published = await members.publishedAlone(
    sync.name,
    missed.flatMap(({ cluster }) => cluster ?? []),
  );
  return missed.map((member) => {
    const { cluster, state } = member;
    const isShown = cluster !== undefined && published.has(cluster) && state !== 'deleted' && state !== 'withdrawn';
    const isDecided = cluster !== undefined && { cmsId: UNNAMED, ...(!isShown && { deleted: {} }) };
    return { ...toCandidate(member), key: cluster ?? member.key, cmsId: null, ...isDecided };
  });
}

async function rename(links: ReadonlyArray<{ old: Member; found: Member }>, context: RunContext): Promise<void> {
  const { ledger, sync } = context;
  for (const { old, found } of links) await ledger.members.renameMember(sync.name, { from: old.key, to: found.key });
  const homeless = links.filter(({ old }) => old.cluster !== old.key);
  const names = {
    members: new Map(links.map(({ old, found }) => [old.key, found.key])),
    homeless: new Map(homeless.map(({ old, found }) => [old.key, found.key])),
    series: new Map(links.map(({ old, found }) => [seriesName(old), seriesName(found)])),
  };
  await renameAnswers(names, context);
}

async function renameAnswers(
  names: NewNames,
  { ledger: { answers }, sync }: Pick<RunContext, 'ledger' | 'sync'>,
): Promise<void> {
  if (names.members.size === 0) return;
  for (const from of (await answers.allAnswers(sync.name)).keys()) {
    const to = aboutRenamed(from, names);
    if (to !== from) await answers.renameAnswer(sync.name, { from, to });
  }
}

function toCandidate(member: Member) {
  const { payload, occurrence } = member;
  return { member, resource: 'events' as const, payload, ...(occurrence && { occurrence }) };
}
