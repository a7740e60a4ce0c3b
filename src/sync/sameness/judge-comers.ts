import type { Candidate } from './candidate.ts';
import type { Grade } from './recognise.ts';
import { createMissingIndex } from './same-thing.ts';
import type { GoneThing, Known, Said, SamenessDoubt } from './things.ts';

/**
 * Judges the records that were not recognised: a person has said, or is asked, whether they are missing ones.
 * @param recognised records that were recognised, among them those that wait for an answer and have got another key meanwhile
 */
export function judgeComers<Gone extends GoneThing, Fresh extends Candidate>(
  { gone, fresh }: { gone: readonly Gone[]; fresh: readonly Fresh[] },
  recognised: ReadonlyArray<{ old: Gone; found: Fresh }>,
  { answers, now, sourceOf }: Pick<Known, 'answers' | 'now' | 'sourceOf'>,
) {
  const keys = new Map(recognised.flatMap(({ old, found }) => (isWaiting(old) ? [[found, old.key] as const] : [])));
  const comers = [...fresh, ...keys.keys()];
  const lost = new Map(gone.flatMap((old) => (isWaiting(old) || old.deleted ? [] : [[old.key, old] as const])));
  const answersTo = (found: Fresh) => answers.get(keys.get(found) ?? found.key) ?? new Map<string, Said>();
  const links = new Map<Fresh, { old: Gone; found: Fresh; grade?: Grade }>();
  for (const found of comers) {
    const same = [...answersTo(found)].find(([key, { answer }]) => answer === 'same' && lost.has(key));
    const old = same && lost.get(same[0]);
    if (!old) continue;
    links.set(found, { old, found });
    lost.delete(old.key);
  }
  const missing = createMissingIndex([...lost.values()], now);
  const asked = comers.flatMap((found): Array<SamenessDoubt<Gone, Fresh>> => {
    const source = sourceOf(found.key);
    const isSettled = ({ key }: Gone) => sourceOf(key) !== source || answersTo(found).get(key)?.answer === 'distinct';
    const old = links.has(found) ? undefined : missing.pairWith(found, isSettled);
    return old ? [{ is: 'changed', old, found, aboutHash: '' }] : [];
  });
  return { links: [...links.values()], asked };
}

function isWaiting({ cmsId, deleted }: GoneThing): boolean {
  return cmsId === null && !deleted;
}
