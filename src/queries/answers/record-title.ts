import type { Payload } from '../../core/record.ts';

/** Returns the name by which people know a record: the title of an event, or the name of an account. */
export function recordTitle(payload: Payload): string {
  const text = (attribute: string) => {
    const value = payload[attribute];
    return typeof value === 'string' ? value.trim() : '';
  };
  const fullName = [text('firstName'), text('lastName')].filter(Boolean).join(' ');
  return text('title') || text('displayName') || fullName || text('username') || text('email');
}
