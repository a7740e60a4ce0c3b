import { CodedError } from '../../core/errors.ts';
import type { Resource } from '../../core/record.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import { externalIdOf, externalIdOn, isCutOf } from '../items/external-id.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * How much of an external id the CMS keeps. Until an answer of this process has shown a whole id that is as long, only one id is sent
 * at a time. Once the CMS has cut one, no id is sent whose beginning another record has. An id that another process, or a retry, has
 * sent without knowing that shows in the answer.
 */
export function externalIdRoom(ledger: Pick<Ledger, 'habits' | 'records'>, target: string, resource: Resource) {
  const { habits } = ledger;
  const sendAlone = oneAtATime();
  /** Length of the longest id that the CMS has shown whole. */
  let whole = 0;
  let cutAt: number | undefined;
  /** What the CMS keeps of ids → the id that a run has sent: the ledger may not have it yet. */
  const sent = new Map<string, { id: string; run: string }>();
  let loading: Promise<void> | undefined;
  return { sendId };

  /**
   * Sends the external id of a record.
   * @param attribute carries it; absent: none is sent
   * @param send calls `note` with the item as the CMS shows it then. It returns an error if the item has the same as another record's
   * @throws CodedError FF_CMS_EXTERNAL_ID_CUT if the CMS would keep the same of it as of another record's
   */
  async function sendId<Result>(
    record: ClaimedRecord,
    attribute: string | undefined,
    send: (note: (item: Item) => Promise<CodedError | undefined>) => Promise<Result>,
  ): Promise<Result> {
    if (attribute === undefined) return send(async () => undefined);
    const id = externalIdOf(record);
    loading ??= load(attribute);
    await loading;
    const isShort = () => id.length <= Math.max(whole, cutAt ?? 0);
    if (cutAt !== undefined && !isShort() && !(await isKnown(attribute))) cutAt = undefined;
    return sendAlone(
      () => cutAt !== undefined || isShort(),
      async () => {
        const shared = cutAt !== undefined && !isShort() && (await claim(record, attribute, id.slice(0, cutAt)));
        if (shared) throw shared;
        return send((item) => note(record, attribute, item));
      },
    );
  }

  /** Reads at which length the CMS has cut ids before. */
  async function load(attribute: string): Promise<void> {
    if (!(await isKnown(attribute))) return;
    const known = await habits.deliveredWith(resource, attribute, 'rewritten');
    const cut = known.flatMap(({ delivered, madeByCms }) => {
      const [id, shown] = [externalIdOn(delivered, attribute), externalIdOn(madeByCms, attribute)];
      return id !== undefined && shown !== undefined && isCutOf(shown, id) ? [shown.length] : [];
    });
    if (cut.length > 0) cutAt = Math.max(...cut);
  }

  /** Whether the CMS is known to rewrite the attribute: a retry forgets it, because the attribute may hold more by now. */
  async function isKnown(attribute: string): Promise<boolean> {
    const known = await habits.of(target, resource);
    return known.some((each) => each.attribute === attribute && each.habit === 'rewritten');
  }

  /** Returns an error if what the CMS keeps of the id of a record is that of another one, too. */
  async function claim(record: ClaimedRecord, attribute: string, kept: string): Promise<CodedError | undefined> {
    const id = externalIdOf(record);
    const { run } = record;
    const before = sent.get(kept);
    const isOfRun = before?.run === run && before.id !== id;
    if (!isOfRun) sent.set(kept, { id, run });
    const owner = isOfRun ? undefined : await ledger.records.beginsLike(record, kept);
    const other = isOfRun ? before.id : owner && externalIdOf(owner);
    if (other === undefined) return undefined;
    sent.set(kept, { id: other, run });
    const message =
      `The CMS keeps ${kept.length} characters of ${attribute}: it would give "${record.key}" (${id}) the external id "${kept}", ` +
      `which is that of ${other}, too. The attribute has to hold at least ${id.length} characters.`;
    return new CodedError('FF_CMS_EXTERNAL_ID_CUT', message);
  }

  async function note(record: ClaimedRecord, attribute: string, item: Item): Promise<CodedError | undefined> {
    const [id, shown] = [externalIdOf(record), externalIdOn(item, attribute)];
    if (shown !== undefined && isCutOf(shown, id)) {
      const isNews = cutAt !== shown.length;
      if (isNews) await habits.remember(target, resource, [{ attribute, habit: 'rewritten' }]);
      cutAt = shown.length;
      whole = Math.min(whole, cutAt);
      return isNews ? claim(record, attribute, shown) : undefined;
    }
    // What is not shown, or is something else, says nothing about the length.
    whole = shown?.length === id.length ? Math.max(whole, id.length) : Number.POSITIVE_INFINITY;
    if (cutAt === undefined || whole <= cutAt) return undefined;
    cutAt = undefined;
    await habits.forget(target, resource, { attribute, habit: 'rewritten' });
    return undefined;
  }
}

/** Returns a function that sends requests of a kind one at a time until something is known that their answers show. */
export function oneAtATime() {
  let first: Promise<unknown> | undefined;
  return async function sendAlone<Result>(isKnown: () => boolean, send: () => Promise<Result>): Promise<Result> {
    while (!isKnown() && first) await first.catch(() => undefined);
    if (isKnown()) return send();
    const sending = send();
    first = sending;
    try {
      return await sending;
    } finally {
      first = undefined;
    }
  };
}
