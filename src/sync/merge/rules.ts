import type { SyncConfig } from '../../config/types.ts';
import { namesPlace } from '../../core/text/place-names.ts';
import type { RunContext } from '../context/run-context.ts';
import type { JoinRules } from './form-clusters.ts';
import type { MergeRules } from './merge-members.ts';

/** Returns the rules by which the sources of a sync become one, with what people have said. */
export async function mergeRulesOf({
  ledger,
  sync,
}: Pick<RunContext, 'ledger' | 'sync'>): Promise<JoinRules & MergeRules> {
  const { sources = [], merge } = sync;
  const answers = await ledger.answers.allAnswers(sync.name);
  return {
    ...(merge?.match && { match: merge.match }),
    places: placesOf(sync),
    answers: new Map([...answers].map(([about, { answer }]) => [about, answer])),
    sources: sources.map(({ name }) => name),
    fill: merge?.fill ?? {},
    maps: new Map(sources.map((source) => [source.name, source.sync.map])),
  };
}

/** The attributes of a sync that hold a place. */
function placesOf({ sources = [] }: SyncConfig): string[] {
  const mapped = sources.flatMap(({ sync }) => Object.keys(sync.map ?? {}));
  return [...new Set(mapped.map((name) => name.replace(/\..*$/s, '')))].filter(namesPlace);
}
