import type { ReadContext } from '../../src/core/connector.ts';
import type { SourceRecord } from '../../src/core/record.ts';

/** Makes a record of an item. An item that is not an object is rejected. */
export function itemRecord(at: string, value: unknown, context: Pick<ReadContext, 'reject'>): SourceRecord | undefined {
  if (isObject(value)) return { at, fields: value };
  const shown = JSON.stringify(value).slice(0, 100);
  const reason = `the item is ${kindOf(value)} (${shown}), not an object`;
  context.reject({ at, code: 'FF_RECORD_MALFORMED', reason, fields: { value: shown } });
  return undefined;
}

/** Returns true for a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
