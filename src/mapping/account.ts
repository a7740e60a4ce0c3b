import type { Json, Payload } from '../core/record.ts';

/** Returns the payload of an account: its values, with texts in Unicode NFC so that equal names compare equal. */
export function accountPayload(values: Readonly<Record<string, Json>>): Payload {
  const payload: Payload = {};
  for (const [attribute, value] of Object.entries(values)) {
    payload[attribute] = typeof value === 'string' ? value.normalize('NFC') : value;
  }
  if (typeof payload.email === 'string') payload.email = payload.email.trim();
  return payload;
}
