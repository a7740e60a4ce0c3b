import { sharedFor } from '../core/runtime/shared-answer.ts';
import type { Queries } from '../queries/create-queries.ts';
import { mayDo, type Viewer } from './access/viewer.ts';

const OVERVIEW_MS = 2_000;

/** The queries for each viewer. */
export interface ViewedQueries {
  queriesFor(viewer: Viewer): Queries;
  /** Call it when a person has changed something: the next page shows it. */
  changed(): void;
}

/**
 * Returns the queries for each viewer: for the role `view`, e-mail addresses are masked. All viewers with the same role get the
 * same overview for two seconds, so that many viewers do not keep the ledger busy.
 */
export function viewedQueries(queries: Queries, mask: (queries: Queries) => Queries): ViewedQueries {
  let changes = 0;
  const shared = (given: Queries): Queries => {
    return { ...given, overview: sharedFor(OVERVIEW_MS, given.overview, () => changes) };
  };
  const all = shared(queries);
  const masked = shared(mask(all));
  return {
    queriesFor: (viewer) => (mayDo(viewer, 'operate') ? all : masked),
    changed() {
      changes += 1;
    },
  };
}
