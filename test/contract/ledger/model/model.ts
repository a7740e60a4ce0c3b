import type { ClaimedRecord } from '../../../../src/ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../../../src/ledger/records/delivery-result.ts';
import { type Attempt, knowledgeOf, type Row } from './row.ts';

/** A claimed record in the hands of a worker, which may not know yet that its lease has lapsed. */
export interface Hand {
  worker: number;
  record: ClaimedRecord;
  /** The result of what was sent; undefined: nothing was sent yet. */
  result?: DeliveryResult;
}

/** All that matters of a record, and who may act on it. */
export interface ModelRecord {
  key: string;
  wanted: number;
  status: string;
  cmsId: number | null;
  delivered: number | null;
  open: Array<Attempt & { claim: string }>;
  due: boolean;
  lease?: { hand: Hand; aged?: boolean; gone?: boolean };
}

/** What the ledger should have, and what the workers are about. */
export interface Model {
  records: ModelRecord[];
  hands: Hand[];
  /** Keys whose item an editor has deleted. */
  deleted: Set<string>;
}

export function newModel(keys: readonly string[], wanted: number): Model {
  const fresh = { wanted, status: 'pending', cmsId: null, delivered: null, due: true };
  return { records: keys.map((key) => ({ key, ...fresh, open: [] })), hands: [], deleted: new Set() };
}

export function recordOf(model: Readonly<Model>, key: string): ModelRecord {
  const record = model.records.find((candidate) => candidate.key === key);
  if (!record) throw new Error(`no record ${key}`);
  return record;
}

/** Whether the hand still holds its record. */
export function holds(model: Readonly<Model>, hand: Hand): boolean {
  return recordOf(model, hand.record.key).lease?.hand === hand;
}

/** The record as the ledger should show it. */
export function toRow({ lease, wanted: _, open, ...record }: ModelRecord): Row {
  return {
    ...record,
    knows: knowledgeOf({ ...record, open }),
    open: open.map(({ claim: _claim, ...attempt }) => attempt),
    lease: lease ? (lease.aged ? 'aged' : 'fresh') : 'none',
  };
}

/** Settles a record that its hand still holds. */
export function settle(record: ModelRecord, { record: claimed }: Hand, result: DeliveryResult): void {
  record.lease = undefined;
  record.open = stillOpen(record, claimed.claim, result);
  const isNewest = record.wanted === claimed.desired.version;
  switch (result.is) {
    case 'created':
    case 'updated':
    case 'unchanged':
      record.cmsId = result.cmsId;
      record.delivered = claimed.desired.version as number;
      record.due = true;
      record.status = isNewest ? 'delivered' : 'pending';
      break;
    case 'deleted':
      record.cmsId = null;
      record.delivered = null;
      record.due = true;
      record.status = result.recreate ? 'pending' : 'deleted';
      break;
    case 'removed':
      record.cmsId = null;
      record.delivered = null;
      record.status = isNewest ? 'removed' : 'pending';
      break;
    default:
      record.due = result.is !== 'retry' || result.afterMs === 0;
      record.status = result.is === 'retry' || !isNewest ? 'pending' : result.is;
  }
}

/** What stays open once a claim has ended: its own attempt, unless it repeats one, and those that its result does not resolve. */
function stillOpen({ open, delivered }: ModelRecord, claim: string, result: DeliveryResult): ModelRecord['open'] {
  const others = open.filter((attempt) => attempt.claim !== claim);
  const own = open.find((attempt) => attempt.claim === claim);
  if (result.is === 'deleted' && result.recreate) {
    return [...others, { claim, method: null, doubt: 'elsewhere', version: delivered ?? own?.version ?? 0 }];
  }
  if (!('reason' in result) || result.is === 'deleted') return [];
  const earlier = result.isAbsent ? [] : others;
  if (!own || !result.doubt) return earlier;
  const { doubt } = result;
  const isRepeated = earlier.some(
    (each) => each.method === own.method && each.version === own.version && ['sent', doubt].includes(each.doubt),
  );
  return isRepeated ? earlier : [...earlier, { ...own, doubt }];
}
