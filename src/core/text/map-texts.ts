import { isObject } from '../record.ts';

/** Changes all texts of a value, at any depth. Names of members, bytes and everything else stay. */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  return mapped(value, change) as Value;
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (!isObject(value) || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, change)]));
}
