import { isDeepStrictEqual } from 'node:util';
import type { CmsItem } from '../../cms/client.ts';
import { CmsError } from '../../cms/errors.ts';
import { standardAttributes } from '../../core/attributes.ts';
import type { Payload, Resource } from '../../core/record.ts';
import type { Sent } from '../../ledger/attempts/deliveries.ts';
import type { ClaimedRecord, RecordWithItem } from '../../ledger/records/claimed-record.ts';
import { bodiesOf } from '../../ledger/records/open-attempts.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import {
  type Evidence,
  type EvidenceByPath,
  type Former,
  judge,
  lostAttributes,
  unsentOf,
} from '../evidence/evidence.ts';
import { itemsOf } from '../items/cms-items.ts';
import { writableOf } from '../items/item-images.ts';
import { valueAt } from '../items/values.ts';

/** How far a delivery has come. */
export interface Progress {
  /** As it is known by now. */
  record: ClaimedRecord;
  /** Number of files that were uploaded. */
  uploads: number;
  /** The request that writes the item, from the moment on in which it may be sent. */
  sent?: Sent;
  /** The CMS has refused that request with files, and it is sent without them. */
  isRepeated?: boolean;
  /** The CMS has refused the request, and it is sent without alternative texts. */
  isWithoutAlt?: boolean;
  /** The CMS answered that request with 404: errors that follow are those of other requests. */
  isAnswered?: boolean;
  /** The CMS may have applied the answered request. */
  isInDoubt?: boolean;
  /** It was proven that earlier creates have left no item. */
  isAbsent?: boolean;
}

/** A write that the CMS has answered. */
export interface Write {
  sent: Payload;
  answer: CmsItem;
  /** What is known of the item before a PATCH; absent: a create. */
  former?: Former;
  /** The item before a PATCH; absent for a create. */
  live?: CmsItem;
}

/** What an item shows after a write. */
export interface Seen {
  item: CmsItem;
  evidence: EvidenceByPath;
  /** Attributes that had a value and have none, although they were not sent. */
  lost: string[];
  /** Whether the item shows this, rather than only an answer whose item cannot be read. */
  isState: boolean;
  /** Whether the item was read after the write. */
  isRead: boolean;
}

interface LookParts {
  progress: Progress;
  context: DeliveryContext;
}

/**
 * Judges a write by its answer. If the answer does not show what was sent, or lacks what the item had, reads the item: the answer
 * may be an old one, and what the CMS makes of an attribute is believed only if the item shows it, too. Once that is known of an
 * attribute, the answer is enough. So it is with attributes that a PATCH does not send, which the answer may show and the item lack.
 * @throws CmsError
 */
export async function lookAtWritten(write: Write, parts: LookParts): Promise<Seen> {
  const { progress, context } = parts;
  const { live, sent } = write;
  const { habits } = context;
  const former = write.former ?? { before: {}, delivered: {}, madeByCms: {}, rewrites: habits.rewrites };
  // An answer with another item says nothing about this one.
  const answer = live && write.answer.id !== live.id ? ({ id: live.id } as CmsItem) : write.answer;
  const before = live ? writableOf(live, progress.record.resource) : {};
  const first = judgeItem(answer);
  const isPlain = first.lost.length === 0 && [...first.evidence.values()].every((each) => each === 'taken');
  const areKept = !live || habits.areKept(unsentOf(before, sent));
  if (isPlain && areKept) return first;
  // Most CMSes show what they were sent: then the ledger is not asked for their habits.
  if (!isPlain) await habits.load();
  const questioned = [...first.evidence].filter(([path, each]) => isQuestioned(path, each)).map(([path]) => path);
  const isCertain = questioned.length === 0 && first.lost.length === 0;
  if (isCertain && areKept) return first;
  const look = await readAgain(answer.id, parts, { isOptional: isCertain, isNeeded: first.lost.length > 0 });
  if (!look) return { ...first, isState: isCertain, lost: [] };
  const attributes = [...questioned.map((path) => path.replace(/\..*/s, '')), ...first.lost, ...lostOn(look)];
  const shown = Object.fromEntries(attributes.map((attribute) => [attribute, valueAt(look, attribute)]));
  return { ...judgeItem({ ...look, ...answer, ...shown }), isRead: true };

  function judgeItem(item: CmsItem): Seen {
    return { item, evidence: judge(sent, item, former), lost: lostOn(item), isState: true, isRead: false };
  }

  function lostOn(item: CmsItem): string[] {
    return lostAttributes(before, sent, item).filter((attribute) => !habits.isOwn(attribute));
  }

  function isQuestioned(path: string, evidence: Evidence): boolean {
    if (evidence === 'absent' || evidence === 'ignored') return !habits.ignores(path);
    return evidence === 'notTaken' || (evidence === 'rewritten' && !habits.rewrites(path));
  }
}

/**
 * Remembers what a write shows of the CMS, and returns the attributes that the CMS did not take. Those that it ignores are left
 * out: no attempt would change that.
 */
export async function learnFrom(
  { item, evidence, lost, isState, isRead }: Seen,
  { sent, live }: Pick<Write, 'sent' | 'live'>,
  { progress: { record }, context: { habits, target } }: LookParts,
): Promise<string[]> {
  await habits.learn(isState ? evidence : new Map([...evidence].filter(([, each]) => each === 'taken')));
  if (live && isRead && lost.length === 0) await habits.keeps(unsentOf(writableOf(live, record.resource), sent));
  const notTaken: string[] = [];
  for (const [path, each] of evidence) {
    const isShown = isStandard(record.resource, path) || valueAt(item, path) !== null;
    const isIgnored =
      each === 'absent' &&
      isState &&
      (await habits.isIgnored(path, record, { isShown, maxAttempts: target.maxAttempts }));
    if (each === 'notTaken' || (each === 'absent' && !isIgnored)) notTaken.push(path);
  }
  return notTaken;
}

/** Whether every CMS has an attribute (API: "Resources and their fields"). */
function isStandard(resource: Resource, path: string): boolean {
  const names = Object.keys(standardAttributes[resource]);
  return names.some((name) => name === path || name.startsWith(`${path}.`));
}

/**
 * Reads an item that was just written. Returns undefined if the CMS does not show it.
 * @param options `isOptional`: the write is certain without it; `isNeeded`: the answer lacks something, which alone does not show that
 *   the item does
 */
async function readAgain(
  id: number,
  { progress, context }: LookParts,
  { isOptional, isNeeded }: { isOptional: boolean; isNeeded: boolean },
): Promise<CmsItem | undefined> {
  // An error of the look says nothing about the write, which was answered and may be applied.
  progress.isAnswered = true;
  progress.isInDoubt = true;
  const look = await itemsOf(progress.record.resource, context)
    .get(id)
    .catch((error: unknown) => {
      const isRefused = error instanceof CmsError && error.kind === 'permanent';
      if (isOptional || (isRefused && !isNeeded)) return undefined;
      throw error;
    });
  progress.isAnswered = false;
  return look?.id === id ? look : undefined;
}

/**
 * What is known of an item before a PATCH: as the item is, except for attributes whose value a PATCH or create in doubt may have brought
 * to it already.
 * Those had the value from before the first of the requests, or another one that these have sent.
 */
export function beforePatch(
  { item, open }: RecordWithItem,
  body: Payload,
  live: CmsItem,
  { habits }: Pick<DeliveryContext, 'habits'>,
): Former {
  const { delivered, madeByCms } = item;
  const before: Record<string, unknown> = { ...live };
  const inDoubt: Payload[] = [];
  for (const [attribute, value] of Object.entries(body)) {
    const tried = open.filter(
      ({ method, body: sent }) => method !== 'DELETE' && (!sent || Object.hasOwn(sent, attribute)),
    );
    const isOther = (sent: Payload | null) => sent !== null && !isDeepStrictEqual(sent[attribute], value);
    const [first, last] = [tried[0], tried.at(-1)];
    if (!first || !last || isOther(last.body)) continue;
    before[attribute] = valueAt({ ...delivered, ...madeByCms, ...first.before }, attribute);
    const others = bodiesOf(tried).filter(isOther);
    inDoubt.push(...others.map((sent) => ({ [attribute]: sent[attribute] ?? null })));
  }
  return { before, inDoubt, delivered: delivered ?? {}, madeByCms, rewrites: habits.rewrites };
}
