/** What a record of the former tables remembered of requests without an answer, and what is known of its item. */
export interface FormerRecord {
  sync: string;
  key: string;
  run: string;
  action: string | null;
  desired: string;
  cms_id: number | null;
  refused_hash: string | null;
  unconfirmed_payloads: string | null;
  delete_unconfirmed: number;
  before_image: string | null;
  quiet_since: number | null;
  delivered_at: number | null;
  knows: string;
  seq: number;
}

/** An open row of the table of attempts. */
interface OpenAttempt {
  method: 'POST' | 'PATCH' | 'DELETE';
  doubt: 'sent' | 'refused';
  body: string | null;
  before: string | null;
}

/**
 * The attempts that a record may have left without an answer. The former tables did not say whether an update was sent, so an
 * undelivered change counts as sent: at worst it is sent again.
 */
export function openAttemptsOf(row: FormerRecord): OpenAttempt[] {
  const bodies = row.unconfirmed_payloads === null ? [] : (JSON.parse(row.unconfirmed_payloads) as unknown[]);
  const payloads = bodies.map((body) => JSON.stringify(body));
  if (row.knows === 'none') return [];
  if (row.knows === 'maybe' || row.knows === 'refused') {
    const doubt = row.knows === 'maybe' ? 'sent' : 'refused';
    return (payloads.length > 0 ? payloads : [null]).map((body) => ({ method: 'POST', doubt, body, before: null }));
  }
  const deletes: OpenAttempt[] =
    row.knows === 'maybeGone' ? [{ method: 'DELETE', doubt: 'sent', body: null, before: row.before_image }] : [];
  const wasSent = row.refused_hash === null && row.action !== 'delete';
  const sent = new Set([...payloads, ...(wasSent ? [row.desired] : [])]);
  const before = row.knows === 'maybeGone' ? null : row.before_image;
  return [...[...sent].map((body): OpenAttempt => ({ method: 'PATCH', doubt: 'sent', body, before })), ...deletes];
}
