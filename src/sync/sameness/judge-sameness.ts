import { isOver } from '../../mapping/window.ts';
import type { Candidate, Surroundings } from './candidate.ts';
import { namesHash } from './names.ts';
import { type Grade, recogniseRecords, unlinked } from './recognise.ts';
import { matchByContent, matchByPlace } from './same-content.ts';
import { isRenamedWholly, possiblyRenamed } from './same-thing.ts';

/** What a person has said about two records. */
export interface Said {
  answer: 'same' | 'distinct';
  aboutHash: string;
}

/** The records that the ledger has, and those that a reading has. */
export interface Things<Gone, Fresh> {
  /** Records that the reading lacks. */
  gone: readonly Gone[];
  /** Records with keys that the ledger does not have. */
  fresh: readonly Fresh[];
  /** Records that have kept their keys, but changed what names them. */
  kept: ReadonlyArray<{ old: Gone; found: Fresh }>;
}

/** The answers of people, by the key of a record of the reading, and then that of the ledger; both are equal if the key was kept. */
export type AnswersByKey = ReadonlyMap<string, ReadonlyMap<string, Said>>;

interface Known {
  answers: AnswersByKey;
  /** How many records the reading has. */
  total: number;
  /** Whether items show the keys of their records: then no item gets the key of another one without an answer. */
  showsKeys: boolean;
  /** Whether what the reading lacks has left the source; if not, no record is recognised under another key without an answer. */
  isWhole: boolean;
}

/** A question to a person: `changed`: has the record only got a new key? `reused`: has its key gone to another thing? */
export interface SamenessDoubt<Gone, Fresh> {
  is: 'changed' | 'reused';
  old: Gone;
  found: Fresh;
  aboutHash: string;
}

/** What of a known thing is the case. */
export interface GoneThing extends Candidate {
  cmsId: number | null;
  isMissing?: boolean;
}

/** A few records may become other things under their keys by chance. */
const CHANCE = { records: 1, percent: 2 };

/**
 * Judges, of all records of a reading with unknown keys or other names, whether the ledger has them: every one of them has a place in
 * exactly one of the lists.
 */
export function judgeSameness<Gone extends GoneThing, Fresh extends Candidate>(
  { gone, fresh, kept }: Things<Gone, Fresh>,
  { answers, total, isWhole, showsKeys }: Known,
  surroundings: Surroundings,
) {
  const recognised = isWhole ? recogniseRecords(gone, fresh, surroundings) : [];
  const left = unlinked({ gone, fresh }, recognised);
  const exchanged = passedOn(isWhole ? left : { gone: [], fresh: [] }, kept, surroundings);
  const passed = showsKeys ? [] : exchanged;
  const olds = new Set(passed.map(({ old }) => old));
  const founds = new Set(passed.map(({ found }) => found));
  const created: Fresh[] = [];
  const released: Gone[] = [];
  const asked: Array<SamenessDoubt<Gone, Fresh>> = [];
  const isExchanged = new Set<Gone | Fresh>(exchanged.flatMap(({ old, found }) => [old, found]));
  const doubtful = kept.filter(({ old, found }) => {
    return (
      isExchanged.has(old) || isExchanged.has(found) || isRenamedWholly(old.payload, found.payload, found.resource)
    );
  });
  const areMany = doubtful.length > Math.max(CHANCE.records, (CHANCE.percent * total) / 100) || exchanged.length > 0;
  for (const { old, found } of kept) {
    const aboutHash = namesHash(found.payload, found.resource);
    const given = answers.get(found.key)?.get(old.key);
    const answer = given?.aboutHash === aboutHash ? given.answer : undefined;
    const isAnother = olds.has(old) || founds.has(found) || answer === 'distinct';
    if (isAnother && !founds.has(found)) created.push(found);
    if (isAnother && !olds.has(old)) released.push(old);
    if (isAnother || answer === 'same' || !doubtful.some((each) => each.old === old)) continue;
    const isAlone = found.resource === 'events' && !areMany && !old.isMissing && !isOver(old.payload, surroundings.now);
    if (!isAlone) asked.push({ is: 'reused', old, found, aboutHash });
  }
  const renamed = judgeRenamed(recognised, created);
  return {
    /** Records under new keys. `grade`: how they were recognised; absent: a person has said so. */
    links: [...recognised.filter(({ found }) => !renamed.answered.has(found)), ...renamed.links],
    /** Records under keys that were those of others. */
    passed,
    /** Records that have kept their keys, and are other things: they are created. */
    created,
    /** Records that have lost their keys to these, and are not in the reading. */
    released,
    asked: [...asked, ...renamed.asked],
  };

  function judgeRenamed(links: ReadonlyArray<{ old: Gone; found: Fresh; grade: Grade }>, others: readonly Fresh[]) {
    // A record that waits for an answer may get another key meanwhile.
    const keys = new Map(links.flatMap(({ old, found }) => (isWaiting(old) ? [[found, old.key] as const] : [])));
    const comers = [...left.fresh.filter((found) => !founds.has(found)), ...others, ...keys.keys()];
    const lost = left.gone.filter((old) => !olds.has(old) && !isWaiting(old) && !old.deleted);
    const answersTo = (found: Fresh) => answers.get(keys.get(found) ?? found.key) ?? new Map<string, Said>();
    const byKey = new Map(lost.map((old) => [old.key, old]));
    const taken = new Set<Gone>();
    const answered = new Map<Fresh, Gone>();
    for (const found of comers) {
      const same = [...answersTo(found)].flatMap(([key, { answer }]) =>
        answer === 'same' ? (byKey.get(key) ?? []) : [],
      );
      const old = same.find((each) => !taken.has(each));
      if (!old) continue;
      taken.add(old);
      answered.set(found, old);
    }
    const open = { gone: lost.filter((old) => !taken.has(old)), fresh: comers.filter((found) => !answered.has(found)) };
    const pairs = possiblyRenamed(
      open.gone,
      open.fresh,
      (found, old) => answersTo(found).get(old.key)?.answer === 'distinct',
    );
    return {
      answered,
      links: [...answered].map(([found, old]) => ({ old, found, grade: undefined })),
      asked: pairs.map((pair) => ({ is: 'changed' as const, ...pair, aboutHash: '' })),
    };
  }
}

/** The record waits for an answer: it was never sent. */
function isWaiting({ cmsId, deleted }: GoneThing): boolean {
  return cmsId === null && !deleted;
}

/** Pairs records whose keys have passed on, as if these were positions: what one has now is what another one had. */
function passedOn<Gone extends Candidate, Fresh extends Candidate>(
  left: { gone: readonly Gone[]; fresh: readonly Fresh[] },
  kept: Things<Gone, Fresh>['kept'],
  surroundings: Surroundings,
): Array<{ old: Gone; found: Fresh }> {
  if (kept.length === 0) return [];
  const olds = [...left.gone, ...kept.map(({ old }) => old)];
  const news = [...left.fresh, ...kept.map(({ found }) => found)];
  const byPlace = matchByPlace(olds, news).map(([old, found]) => ({ old, found }));
  const others = unlinked({ gone: olds, fresh: news }, byPlace);
  const byContent = matchByContent(others.gone, others.fresh, surroundings);
  const pairs = [...byPlace, ...byContent.map(([old, found]) => ({ old, found }))];
  return pairs.filter(({ old, found }) => old.key !== found.key);
}
