import { codesAnsweredBy } from '../../core/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RecordRowView } from '../views/sync.ts';

type Held = Pick<RecordRowView, 'key' | 'status' | 'cmsId' | 'error'>;

/** Returns who has left out which of these records of a sync, by their keys. What they were held for is no longer a problem. */
export async function leftOutIn(
  sync: string,
  records: readonly Held[],
  { questions }: Pick<Ledger, 'questions'>,
): Promise<Map<string, Pick<RecordRowView, 'leftOut' | 'error'>>> {
  const held = records.filter(({ status, cmsId, error }) => {
    return status === 'held' && cmsId === undefined && codesAnsweredBy.leave.some((code) => code === error?.code);
  });
  if (held.length === 0) return new Map();
  const keys = held.map(({ key }) => key);
  return new Map(
    [...(await questions.answersAbout('review', sync, keys))].flatMap(([key, { answer, person, at, note }]) => {
      return answer === 'leave' ? [[key, { error: undefined, leftOut: { person, at, note } }] as const] : [];
    }),
  );
}
