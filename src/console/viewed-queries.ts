import { sharedFor } from '../core/runtime/shared-answer.ts';
import type { Queries } from '../queries/queries.ts';
import { mayDo, type Viewer } from './access/viewer.ts';

const OVERVIEW_MS = 2_000;

/**
 * Returns the queries for each viewer: for the role `view`, e-mail addresses are masked. All viewers with the same role get the
 * same overview for two seconds, so that many viewers do not keep the ledger busy.
 */
export function viewedQueries(queries: Queries, mask: (queries: Queries) => Queries): (viewer: Viewer) => Queries {
  const all: Queries = { ...queries, overview: sharedFor(OVERVIEW_MS, queries.overview) };
  const some = mask(all);
  const masked: Queries = { ...some, overview: sharedFor(OVERVIEW_MS, some.overview) };
  return (viewer) => (mayDo(viewer, 'operate') ? all : masked);
}
