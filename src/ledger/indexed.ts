import { sql } from 'kysely';

// SQLite takes a partial index only where the query says its condition literally, not by a parameter.

/** Of records: finds the few that are not delivered by `records_undelivered`. */
export const isUndelivered = sql<boolean>`status <> 'delivered'`;

/** Of runs: finds those under way by `runs_one_running`. */
export const isUnderWay = sql<boolean>`status = 'running'`;
