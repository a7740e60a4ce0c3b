import { CodedError } from '../../core/errors.ts';

/** How long a draft is kept after its last use. */
const KEPT_MS = 2 * 60 * 60_000;
/** Drafts hold the beginning of their feed in memory. */
const MOST = 20;
/** One person does not push out the drafts of all others. */
const MOST_OF_ONE = 8;

/**
 * Keeps drafts in this process. A draft belongs to one person and expires two hours after its last use; if there are too many, the
 * one that was used least recently is dropped, at first of the same person.
 * @param clear removes what is kept of a draft elsewhere
 */
export function createDraftStore<Draft>(clear: (draft: Draft) => void) {
  const kept = new Map<string, { draft: Draft; owner: string; usedAt: number }>();
  return { add, get, list, drop, close };

  function add(id: string, owner: string, draft: Draft): void {
    const own = [...kept].filter(([, one]) => one.owner === owner);
    for (const [id] of own.slice(0, Math.max(0, own.length - MOST_OF_ONE + 1))) remove(id);
    dropOld(MOST - 1);
    kept.set(id, { draft, owner, usedAt: Date.now() });
  }

  /** @throws CodedError FF_HTTP_NOT_FOUND if the person has no such draft, or no longer */
  function get(id: string, owner: string): Draft {
    dropOld(MOST);
    const found = kept.get(id);
    if (found?.owner !== owner) {
      const message = `This draft does not exist, or no longer: ${MOST_OF_ONE} drafts of a person are kept, for two hours.`;
      throw new CodedError('FF_HTTP_NOT_FOUND', message, {
        remedy: 'Enter the address of the feed again, or open the sync again.',
      });
    }
    // The map is in the order of the last use.
    kept.delete(id);
    kept.set(id, { ...found, usedAt: Date.now() });
    return found.draft;
  }

  /** Lists the drafts of a person, the one that was used last first. */
  function list(owner: string): Draft[] {
    dropOld(MOST);
    return [...kept.values()].flatMap((one) => (one.owner === owner ? [one.draft] : [])).reverse();
  }

  /** Drops a draft. Throws as `get` does. */
  function drop(id: string, owner: string): void {
    get(id, owner);
    remove(id);
  }

  function close(): void {
    for (const id of kept.keys()) remove(id);
  }

  function dropOld(most: number): void {
    for (const [id, { usedAt }] of kept) if (kept.size > most || Date.now() - usedAt > KEPT_MS) remove(id);
  }

  function remove(id: string): void {
    const found = kept.get(id);
    kept.delete(id);
    if (found) clear(found.draft);
  }
}
