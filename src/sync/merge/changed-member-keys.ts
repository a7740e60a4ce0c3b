import { clockAt } from '../../core/dates/iso-date.ts';
import { sha256 } from '../../core/hash.ts';
import type { Member } from '../../ledger/members/members.ts';
import type { RunContext } from '../context/run-context.ts';
import { recogniseRecords } from '../plan/recognise.ts';
import { aboutRenamed } from './form-clusters.ts';

/**
 * Recognises the members of a source whose keys it has changed, as the keys of records are recognised. They stay in their clusters,
 * and what people have said about them holds.
 * @param readNo number of the complete reading that lacks the old keys
 * @returns how many
 */
export async function recogniseMembers(source: string, readNo: number, context: RunContext): Promise<number> {
  const { ledger, sync, target, runtime } = context;
  const fresh = await ledger.members.newMembers(sync.name, source);
  const missed = fresh.length > 0 ? await ledger.members.missedMembers(sync.name, source, readNo) : [];
  if (missed.length === 0) return 0;
  const links = recogniseRecords(missed.map(toCandidate), fresh.map(toCandidate), {
    kept: await ledger.members.occurrencesSeen(sync.name, source, readNo),
    now: clockAt(runtime.now(), target.timezone),
    constants: new Set(),
  });
  for (const { old, found } of links) await ledger.members.renameMember(sync.name, { from: old.key, to: found.key });
  await renameAnswers(new Map(links.map(({ old, found }) => [old.key, found.key])), context);
  return links.length;
}

async function renameAnswers(
  names: ReadonlyMap<string, string>,
  { ledger: { answers }, sync }: Pick<RunContext, 'ledger' | 'sync'>,
): Promise<void> {
  if (names.size === 0) return;
  for (const from of (await answers.allAnswers(sync.name, 'sameEvent')).keys()) {
    const to = aboutRenamed(from, names);
    if (to !== from) await answers.renameAnswer(sync.name, 'sameEvent', { from, to, aboutHash: sha256(to) });
  }
}

function toCandidate({ key, payload, occurrence }: Member) {
  return { key, resource: 'events' as const, payload, ...(occurrence && { occurrence }) };
}
