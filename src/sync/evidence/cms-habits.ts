import { isUnfilled } from '../../core/attributes.ts';
import type { CodedError } from '../../core/errors.ts';
import { ignoredAttributes } from '../../core/ignored-attributes.ts';
import { type Resource, UNKNOWN } from '../../core/record.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { Habit } from '../../ledger/target/habits.ts';
import { valueAt } from '../items/values.ts';
import type { EvidenceByPath } from './evidence.ts';
import { externalIdRoom, oneAtATime } from './external-id-room.ts';

/** If this many items lack an attribute, and none has it, the CMS ignores it. */
const ENOUGH = 3;

/** What the CMS is known to do with the attributes of a resource. */
export type CmsHabits = ReturnType<typeof habitsFor>;

/** Returns a function that gives the habits of each target and resource, which all deliveries of a process share. */
export function createCmsHabits(
  ledger: Pick<Ledger, 'habits' | 'records'>,
): (target: string, resource: Resource) => CmsHabits {
  const known = new Map<string, CmsHabits>();
  return (target, resource) => {
    const name = `${resource} ${target}`;
    const habits = known.get(name) ?? habitsFor(ledger, target, resource);
    known.set(name, habits);
    return habits;
  };
}

function habitsFor(ledger: Pick<Ledger, 'habits' | 'records'>, target: string, resource: Resource) {
  const { habits: store } = ledger;
  const known = { rewritten: new Set<string>(), ignored: new Set<string>(), replaces: new Set<string>() };
  const taken = new Set<string>();
  /** Attributes that this process has seen ignored: the CMS may have others by now that it ignored earlier. */
  const confirmed = new Set<string>();
  /** Attribute → records whose items lack it. */
  const lacking = new Map<string, Set<string>>();
  /** Attributes that PATCHes of this process have left alone without sending them. */
  const kept = new Set<string>();
  /** Attributes that the CMS sets itself: it empties them, and does not take them. */
  const own = new Set<string>();
  let loading: Promise<void> | undefined;
  const sendAlone = oneAtATime();
  let refusesAlt = false;
  let stop: { run: string; error: CodedError } | undefined;
  return {
    load,
    rewrites: (attribute: string) => known.rewritten.has(attribute),
    ignores: (attribute: string) => known.ignored.has(attribute),
    learn,
    isIgnored,
    afterFirstPatch,
    areKept,
    keeps,
    replaces,
    ...externalIdRoom(ledger, target, resource),
    /** Whether the CMS has refused a request with an alternative text, and taken it without. Forgotten when the process ends. */
    refusesAlt: () => refusesAlt,
    foundAltRefused: () => {
      refusesAlt = true;
    },
    isOwn: (attribute: string) => own.has(attribute),
    owns: (attributes: readonly string[]) => attributes.forEach((attribute) => void own.add(attribute)),
  };

  /** Reads what is known, once. */
  async function load(): Promise<void> {
    loading ??= store.of(target, resource).then((habits) => {
      for (const { attribute, habit } of habits) known[habit].add(attribute);
    });
    try {
      await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  }

  /** Remembers what the CMS has taken, and what it has certainly rewritten. */
  async function learn(evidence: EvidenceByPath): Promise<void> {
    const attributes = (is: string) => [...evidence].flatMap(([path, each]) => (each === is ? [path] : []));
    for (const attribute of attributes('taken')) {
      taken.add(attribute);
      // Somebody has added the attribute to the CMS.
      confirmed.delete(attribute);
      if (known.ignored.has(attribute)) await forget({ attribute, habit: 'ignored' });
    }
    await remember('rewritten', attributes('rewritten'));
    await remember('ignored', attributes('ignored'));
  }

  /**
   * Whether the CMS ignores an attribute, rather than that it has not taken the one of this record: no item of the resource has it,
   * and several lack it. Of an attribute that the CMS does not show at all, one item is enough that lacks it after another attempt,
   * too. An update of an attribute that it shows was not taken, unless creates have shown that it is ignored.
   */
  async function isIgnored(
    attribute: string,
    { sync, key, attempts, knows }: ClaimedRecord,
    { isShown, maxAttempts }: { isShown: boolean; maxAttempts: number },
  ): Promise<boolean> {
    if (taken.has(attribute)) return false;
    if (confirmed.has(attribute)) return true;
    const records = lacking.get(attribute) ?? new Set();
    lacking.set(attribute, records.add(`${sync}:${key}`));
    const isFresh = !known.ignored.has(attribute);
    const isRepeated = !isShown && (attempts > 0 || maxAttempts === 1);
    const isDoubtful = isShown && knows === 'known';
    if (isFresh && (isDoubtful || (records.size < ENOUGH && !isRepeated))) return false;
    if (await isTakenElsewhere(attribute)) {
      taken.add(attribute);
      if (!isFresh) await forget({ attribute, habit: 'ignored' });
      return false;
    }
    await remember('ignored', [attribute]);
    confirmed.add(attribute);
    return true;
  }

  async function isTakenElsewhere(attribute: string): Promise<boolean> {
    const records = await store.deliveredWith(resource, attribute.replace(/\..*/s, ''));
    return records.some(({ delivered, madeByCms }) => {
      const value = valueAt(delivered, attribute);
      return !isUnfilled(value) && value !== UNKNOWN && !ignoredAttributes(delivered, madeByCms).includes(attribute);
    });
  }

  /**
   * Sends a PATCH. Until one has shown that the CMS keeps each of the attributes that this one does not send, only one is sent at a
   * time, so that a CMS that empties them damages no more than one item.
   * @param unsent attributes with a value that it does not send
   * @throws CodedError FF_CMS_PATCH_REPLACES if one of the run has shown that it empties them
   */
  async function afterFirstPatch<Result>(
    run: string,
    unsent: readonly string[],
    send: () => Promise<Result>,
  ): Promise<Result> {
    return sendAlone(
      () => areKept(unsent),
      async () => {
        if (stop?.run === run) throw stop.error;
        return send();
      },
    );
  }

  function areKept(attributes: readonly string[]): boolean {
    return attributes.every((attribute) => kept.has(attribute));
  }

  /** A PATCH of a run has emptied attributes that it did not send. */
  async function replaces(run: string, error: CodedError, attributes: readonly string[]): Promise<void> {
    kept.clear();
    stop = { run, error };
    await remember('replaces', attributes);
  }

  /** A PATCH has left attributes alone that it did not send. */
  async function keeps(attributes: readonly string[]): Promise<void> {
    for (const attribute of attributes) {
      kept.add(attribute);
      if (known.replaces.has(attribute)) await forget({ attribute, habit: 'replaces' });
    }
  }

  async function remember(habit: Habit['habit'], attributes: readonly string[]): Promise<void> {
    const fresh = attributes.filter((attribute) => !known[habit].has(attribute));
    if (fresh.length === 0) return;
    await store.remember(
      target,
      resource,
      fresh.map((attribute) => ({ attribute, habit })),
    );
    for (const attribute of fresh) known[habit].add(attribute);
  }

  async function forget(habit: Habit): Promise<void> {
    known[habit.habit].delete(habit.attribute);
    await store.forget(target, resource, habit);
  }
}
