import { isOver } from '../../mapping/window.ts';
import type { Candidate, Surroundings } from './candidate.ts';
import { pairsSaid } from './judge-comers.ts';
import { compareNames, namesHash, namesOf } from './names.ts';
import { unlinked } from './recognise.ts';
import { matchByContent, matchByPlace } from './same-content.ts';
import { isRenamedWholly } from './same-thing.ts';
import type { GoneThing, Known, SamenessDoubt, Things } from './things.ts';

/** A few records may become other things under their keys by chance. */
const CHANCE = { records: 1, percent: 2 };

/**
 * Judges the records that have kept their keys, but changed what names them: are they still the same?
 * @param byContent see `passedOn`
 */
export function judgeKept<Gone extends GoneThing, Fresh extends Candidate>(
  { kept, ...left }: Things<Gone, Fresh>,
  byContent: ReturnType<typeof passedOn<Gone, Fresh>>,
  known: Known,
) {
  // Records under new keys whose own ones are those of others now.
  const open = unlinked({ gone: kept.map(({ old }) => old), fresh: left.fresh }, byContent);
  const exchanged = [...byContent, ...pairsSaid(open, ({ key }) => known.answers.get(key))];
  const saidOf = (found: Fresh, old: Gone) => {
    const said = known.answers.get(found.key)?.get(old.key);
    if (!said) return undefined;
    const isStill = said.aboutHash === '' || said.aboutHash === namesHash(found.payload, found.resource);
    return isStill ? said.answer : undefined;
  };
  const pairOf = new Map<Gone | Fresh, { old: Gone; found: Fresh }>(
    kept.flatMap((pair) => [[pair.old, pair] as const, [pair.found, pair] as const]),
  );
  const passed = known.showsKeys ? exchanged.filter(isConfirmed) : exchanged;
  const isPassed = among(passed);
  const isExchanged = among(exchanged);
  const doubtful = new Set(
    kept.filter(({ old, found }) => {
      const isAnother = isRenamedWholly(old.payload, found.payload, found.resource);
      return isAnother || isExchanged(old) || isExchanged(found);
    }),
  );
  const areMany =
    exchanged.length > 0 || doubtful.size > Math.max(CHANCE.records, (CHANCE.percent * known.total) / 100);
  const fromOf = new Map(exchanged.map(({ old, found }) => [found, old]));
  const created: Fresh[] = [];
  const released: Gone[] = [];
  const asked: Array<SamenessDoubt<Gone, Fresh>> = [];
  for (const pair of kept) {
    const { old, found } = pair;
    const isAsked = doubtful.has(pair) && (areMany || isTelling(pair, known));
    // A deleted item is not at stake: nobody is asked, unless an answer about another item is about this record, too.
    const isPlain = old.deleted && !isExchanged(old) && !isExchanged(found);
    const answer = saidOf(found, old) ?? (isAsked && isPlain ? 'distinct' : undefined);
    if (isPassed(old) || isPassed(found) || answer === 'distinct') {
      if (!isPassed(found)) created.push(found);
      if (!isPassed(old)) released.push(old);
    } else if (answer === undefined && isAsked && !old.deleted) {
      const from = fromOf.get(found);
      const aboutHash = namesHash(found.payload, found.resource);
      asked.push({ is: 'reused', old, found, aboutHash, ...(from && { from }) });
    }
  }
  for (const { old, found } of exchanged) {
    const isOpen = !pairOf.has(found) && !isPassed(found) && saidOf(found, old) === undefined;
    if (isOpen) asked.push({ is: 'changed', old, found, aboutHash: '' });
  }
  return { passed, created, released, asked };

  /** Whether people have said that a record is what another one was; of two that were, that neither is what it was. */
  function isConfirmed({ old, found }: { old: Gone; found: Fresh }): boolean {
    const pair = pairOf.get(found);
    if (!pair) return saidOf(found, old) === 'same';
    const other = pairOf.get(old);
    const isAnother = (each: typeof pair) => each.old.deleted || saidOf(each.found, each.old) === 'distinct';
    return [pair, ...(other ? [other] : [])].every(isAnother);
  }
}

/**
 * Whether even a single such change is asked about: a person is never given the account of another one by chance, and an event of which
 * nothing is left is hardly the same.
 */
function isTelling({ old, found }: { old: GoneThing; found: Candidate }, { now }: Surroundings): boolean {
  if (found.resource === 'accounts' || old.isMissing || old.isInDoubt || isOver(old.payload, now)) return true;
  const { start, place } = compareNames(namesOf(old.payload, 'events'), namesOf(found.payload, 'events'));
  return start === 'other' && place === 'other';
}

/** Pairs records whose keys have passed on, as if these were positions: what one has now is what another one had, and one has kept its key. */
export function passedOn<Gone extends Candidate, Fresh extends Candidate>(
  { kept, ...left }: Things<Gone, Fresh>,
  surroundings: Surroundings,
): Array<{ old: Gone; found: Fresh }> {
  if (kept.length === 0) return [];
  const olds = [...left.gone, ...kept.map(({ old }) => old)];
  const news = [...left.fresh, ...kept.map(({ found }) => found)];
  const byPlace = matchByPlace(olds, news).map(([old, found]) => ({ old, found }));
  const others = unlinked({ gone: olds, fresh: news }, byPlace);
  const byContent = matchByContent(others.gone, others.fresh, surroundings);
  const pairs = [...byPlace, ...byContent.map(([old, found]) => ({ old, found }))];
  const isKept = among(kept);
  return pairs.filter(({ old, found }) => old.key !== found.key && (isKept(old) || isKept(found)));
}

function among(pairs: ReadonlyArray<{ old: object; found: object }>): (record: object) => boolean {
  const records = new Set(pairs.flatMap(({ old, found }) => [old, found]));
  return (record) => records.has(record);
}
