import type { Candidate } from './candidate.ts';
import { type Grade, unlinked } from './recognise.ts';
import { createMissingIndex } from './same-thing.ts';
import type { GoneThing, Known, Said, SamenessDoubt } from './things.ts';

/**
 * Judges the records that were not recognised: a person has said, or is asked, whether they are missing ones.
 * @param recognised records that were recognised, among them those that wait for an answer and have got another key meanwhile
 */
export function judgeComers<Gone extends GoneThing, Fresh extends Candidate>(
  { gone, fresh }: { gone: readonly Gone[]; fresh: readonly Fresh[] },
  recognised: ReadonlyArray<{ old: Gone; found: Fresh }>,
  { answers, now }: Pick<Known, 'answers' | 'now'>,
) {
  const keys = new Map(recognised.flatMap(({ old, found }) => (isWaiting(old) ? [[found, old.key] as const] : [])));
  const comers = [...fresh, ...keys.keys()];
  const lost = gone.filter((old) => !isWaiting(old) && !old.deleted);
  const answersTo = (found: Fresh) => answers.get(keys.get(found) ?? found.key);
  const links: Array<{ old: Gone; found: Fresh; grade?: Grade }> = pairsSaid({ gone: lost, fresh: comers }, answersTo);
  const open = unlinked({ gone: lost, fresh: comers }, links);
  const missing = createMissingIndex(open.gone, now);
  const asked = open.fresh.flatMap((found): Array<SamenessDoubt<Gone, Fresh>> => {
    const old = lostOneLike(found);
    return old ? [{ is: 'changed', old, found, aboutHash: '' }] : [];
  });
  return { links, asked, lostOneLike };

  /** The missing record that another one may be. */
  function lostOneLike(found: Fresh): Gone | undefined {
    return missing.pairWith(found, ({ key }) => answersTo(found)?.get(key)?.answer === 'distinct');
  }
}

/** Pairs the records of which a person has said that they are the same. */
export function pairsSaid<Gone extends Candidate, Fresh extends Candidate>(
  { gone, fresh }: { gone: readonly Gone[]; fresh: readonly Fresh[] },
  answersTo: (found: Fresh) => ReadonlyMap<string, Said> | undefined,
): Array<{ old: Gone; found: Fresh }> {
  const lost = new Map(gone.map((old) => [old.key, old]));
  return fresh.flatMap((found) => {
    const same = [...(answersTo(found) ?? [])].find(([key, { answer }]) => answer === 'same' && lost.has(key));
    const old = same && lost.get(same[0]);
    if (!old) return [];
    lost.delete(old.key);
    return [{ old, found }];
  });
}

function isWaiting({ cmsId, deleted }: GoneThing): boolean {
  return cmsId === null && !deleted;
}
