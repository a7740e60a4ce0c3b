import type { Candidate } from './candidate.ts';
import { judgeComers } from './judge-comers.ts';
import { judgeKept, passedOn } from './judge-kept.ts';
import { recogniseRecords, unlinked } from './recognise.ts';
import type { GoneThing, Known, Things } from './things.ts';

/** Judges, of all records of a reading with unknown keys or other names, whether the ledger has them. */
export function judgeSameness<Gone extends GoneThing, Fresh extends Candidate>(
  { gone, fresh, kept }: Things<Gone, Fresh>,
  known: Known,
) {
  // What is exactly what another key stood for is no occurrence that has moved.
  const exchanged = known.isWhole ? passedOn({ gone, fresh, kept }, known) : [];
  const others = unlinked({ gone, fresh }, exchanged);
  const mayRecognise = known.isWhole && !known.areRecognised;
  const recognised = mayRecognise ? recogniseRecords(others.gone, others.fresh, known) : [];
  const left = unlinked({ gone, fresh }, recognised);
  const { passed, created, released, asked } = judgeKept({ ...left, kept }, exchanged, known);
  const open = unlinked(left, [...passed, ...asked]);
  // What had a key that may have passed on may be under another one.
  const inDoubt = asked.flatMap(({ is, old }) => (is === 'reused' ? [old] : []));
  const lost = { gone: [...open.gone, ...inDoubt], fresh: [...(known.areRecognised ? [] : open.fresh), ...created] };
  const comers = judgeComers(lost, recognised, known);
  // What waits because its key has passed on may be a missing one, which stays until then.
  const withFrom = ({ from, ...doubt }: (typeof asked)[number]) => {
    const other = from ?? (doubt.is === 'reused' ? comers.lostOneLike(doubt.found) : undefined);
    return { ...doubt, ...(other && { from: other }) };
  };
  return {
    /** Records under new keys. `grade`: how they were recognised; absent: a person has said so. */
    links: [...unlinkedLinks(recognised, comers.links), ...comers.links],
    /** Records under keys that were those of others. */
    passed,
    /** Records that have kept their keys, and are other things: they are created. */
    created,
    /** Records that have lost their keys to these, and are not in the reading. */
    released,
    asked: [...asked.map(withFrom), ...comers.asked],
  };
}

/** A record that waited under another key goes where a person has said that it belongs. */
function unlinkedLinks<Link extends { found: object }>(
  links: readonly Link[],
  instead: ReadonlyArray<{ found: object }>,
): Link[] {
  const founds = new Set(instead.map(({ found }) => found));
  return links.filter(({ found }) => !founds.has(found));
}
