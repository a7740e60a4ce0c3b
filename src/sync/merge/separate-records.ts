import type { NewAnswer } from '../../ledger/answers/answers.ts';
import type { RunContext } from '../context/run-context.ts';
import { apartAbout } from './form-clusters.ts';

/** A record that is no longer published as another one. */
export interface Separation {
  key: string;
  /** Key of the record that it was published as. */
  from: string;
}

/** Stores that these records are not the events that they were published as; the next run publishes them by themselves. */
export async function separateRecords(
  separations: readonly Separation[],
  by: Pick<NewAnswer, 'person' | 'note'>,
  { ledger, sync }: Pick<RunContext, 'ledger' | 'sync'>,
): Promise<void> {
  const answers = separations.map(({ key, from }) => {
    return { about: apartAbout({ key }, { key: from }), answer: 'distinct' as const, ...by };
  });
  await ledger.answers.answer(sync.name, answers);
  await ledger.members.setClusters(sync.name, new Map(separations.map(({ key }) => [key, null])));
}
