import { sql } from 'kysely';

// SQLite uses a partial index only if the query has its condition literally, not as a parameter.

/** Of records: finds the few that are not delivered by `records_undelivered`. */
export const isUndelivered = sql<boolean>`status <> 'delivered'`;

/** Of history: finds what can be undone by `history_images`. */
export const hasImage = sql<boolean>`(before is not null or after is not null)`;

/** Of runs: finds those under way by `runs_one_running`. */
export const isUnderWay = sql<boolean>`status = 'running'`;
