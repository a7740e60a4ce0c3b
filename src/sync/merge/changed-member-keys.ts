import { clockAt } from '../../core/dates/iso-date.ts';
import type { Member } from '../../ledger/members/members.ts';
import type { RunContext } from '../context/run-context.ts';
import { recogniseRecords } from '../sameness/recognise.ts';
import { aboutRenamed, type NewNames } from './form-clusters.ts';
import { seriesName } from './same-event.ts';

/**
 * Recognises the members of a source whose keys it has changed, as the keys of records are recognised. They stay in their clusters, or wait,
 * and what people have said about them holds.
 * @param readNo number of the complete reading that lacks the old keys
 * @returns how many
 */
export async function recogniseMembers(source: string, readNo: number, context: RunContext): Promise<number> {
  const { ledger, sync, target, runtime } = context;
  const fresh = await ledger.members.newMembers(sync.name, source, readNo);
  const missed = fresh.length > 0 ? await ledger.members.missedMembers(sync.name, source, readNo) : [];
  if (missed.length === 0) return 0;
  const links = recogniseRecords(missed.map(toCandidate), fresh.map(toCandidate), {
    kept: await ledger.members.occurrencesSeen(sync.name, source, readNo),
    now: clockAt(runtime.now(), target.timezone),
    constants: new Set(),
  });
  for (const { old, found } of links) await ledger.members.renameMember(sync.name, { from: old.key, to: found.key });
  const homeless = links.filter(({ old }) => old.cluster !== old.key);
  const names = {
    members: new Map(links.map(({ old, found }) => [old.key, found.key])),
    homeless: new Map(homeless.map(({ old, found }) => [old.key, found.key])),
    series: new Map(links.map(({ old, found }) => [seriesName(old), seriesName(found)])),
  };
  await renameAnswers(names, context);
  return links.length;
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

function toCandidate({ key, cluster, payload, occurrence }: Member) {
  return { key, cluster, resource: 'events' as const, payload, ...(occurrence && { occurrence }) };
}
