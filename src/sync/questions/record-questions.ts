import { CodedError } from '../../core/errors.ts';
import { ABOUT_NEW, type Payload, type Resource } from '../../core/record.ts';
import { eventFacts } from '../../core/text/event-facts.ts';
import { nameWithKey, recordTitle } from '../../core/text/record-title.ts';
import type { GivenSameness, OpenQuestion } from '../../ledger/questions/questions.ts';
import type { RunContext } from '../context/run-context.ts';
import type { AskedQuestion, AskedRecord, GivenAnswer } from '../merge/event-questions.ts';
import { brokenRuleIn } from '../plan/held-by-rules.ts';

type QuestionContext = Pick<RunContext, 'ledger' | 'sync'>;

const REASONS = {
  keyChanged: 'The feed no longer has the other one under its key. If they are the same, its item gets the changes.',
  keyReused:
    'They have the same key, but nothing else that names them. If they are different, the item stays as it is.',
  new: 'It is new, and waits until a person has seen it.',
} as const;

/**
 * Returns the open questions whether records of a sync are known ones, and whether new ones are published. The key of the record that waits
 * names a question.
 */
export async function questionsAboutRecords({ ledger, sync }: QuestionContext): Promise<AskedQuestion[]> {
  return (await ledger.questions.open(sync.name)).map((question) => {
    const { key, other, payload, item } = question;
    const why = whyOf(question);
    return {
      ...{ id: key, why, reason: why === 'rule' ? brokenRuleIn(question.reason) : REASONS[why], waiting: 1 },
      records: [
        toRecord({ key, source: 'in the feed', payload }, sync.resource),
        ...(item ? [toRecord({ key: other, source: `item ${item.cmsId}`, payload: item.payload }, sync.resource)] : []),
      ],
    };
  });
}

/** Returns what people have said about records of a sync. */
export async function answersAboutRecords({ ledger, sync }: QuestionContext): Promise<GivenAnswer[]> {
  const answered = await ledger.questions.answered(sync.name);
  const keys = answered.flatMap(({ key, other }) => [key, other]);
  const titles = keys.length > 0 ? await ledger.records.titles(sync.name, keys) : new Map<string, string>();
  const named = (key: string) => nameWithKey({ key, title: titles.get(key) ?? '' });
  return answered.flatMap((question) => {
    const { key, other, answer, person, at, note } = question;
    if (!answer || person === undefined || at === undefined) return [];
    const about = key === other ? named(key) : `${named(key)} ~ ${named(other)}`;
    return { id: key, why: whyOf(question), about, answer, person, at, ...(note !== undefined && { note }) };
  });
}

/**
 * Stores an answer; the next run acts on it.
 * @param keys of the records that wait
 * @throws CodedError FF_NOTHING_TO_DO if there is no open question about one of them
 */
export async function answerAboutRecords(
  keys: readonly string[],
  given: GivenSameness,
  { ledger, sync }: QuestionContext,
): Promise<void> {
  refuseUnknown('open question', keys, await ledger.questions.answer(sync.name, keys, given), sync);
}

/**
 * Takes answers back: the next run asks again about records that still wait.
 * @throws CodedError FF_NOTHING_TO_DO if there is no answer about one of the records
 */
export async function takeBackAboutRecords(keys: readonly string[], { ledger, sync }: QuestionContext): Promise<void> {
  refuseUnknown('answer', keys, await ledger.questions.takeBack(sync.name, keys), sync);
}

function refuseUnknown(
  what: string,
  keys: readonly string[],
  known: readonly string[],
  { name }: QuestionContext['sync'],
): void {
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) throw new CodedError('FF_NOTHING_TO_DO', `"${name}" has no ${what} "${unknown}".`);
}

function whyOf({ kind, key, other, aboutHash }: Pick<OpenQuestion, 'kind' | 'key' | 'other' | 'aboutHash'>) {
  if (kind === 'review') return aboutHash === ABOUT_NEW ? 'new' : 'rule';
  return key === other ? 'keyReused' : 'keyChanged';
}

function toRecord(
  { key, source, payload }: { key: string; source: string; payload: Payload },
  resource: Resource,
): AskedRecord {
  const title = recordTitle(payload, resource);
  return { key, source, title, event: resource === 'events' ? eventFacts(payload) : { title } };
}
