import type { ReadContext } from '../../src/core/connector.ts';
import { isErrorReport } from '../../src/core/paging/error-signs.ts';
import { isObject, type SourceRecord } from '../../src/core/record.ts';

/** Makes a record of an item. An item that is not an object, or only reports an error of the server, is rejected. */
export function itemRecord(
  at: string,
  value: unknown,
  context: Pick<ReadContext, 'reject' | 'report'>,
): SourceRecord | undefined {
  if (isObject(value) && !isErrorReport(value)) return { at, fields: value };
  const shown = JSON.stringify(value).slice(0, 100);
  if (isObject(value)) context.report({ error: `${at}: ${shown}` });
  const reason = isObject(value)
    ? `the item is a report of an error (${shown})`
    : `the item is ${kindOf(value)} (${shown}), not an object`;
  context.reject({ at, code: 'FF_RECORD_MALFORMED', reason, fields: { value: shown } });
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
