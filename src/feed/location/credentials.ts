import { Buffer } from 'node:buffer';

/** How a source lets its readers in: a bearer token (RFC 6750), or user name and password (basic, RFC 7617). */
export type Credentials = { bearer: string } | { user: string; password: string };

/** The value of the Authorization header. */
export function authorization(credentials: Credentials): string {
  if ('bearer' in credentials) return `Bearer ${credentials.bearer}`;
  return `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`;
}

/** The credentials in an address (`https://user:password@…`). */
export function credentialsOf(url: URL): Credentials | undefined {
  if (url.username === '' && url.password === '') return undefined;
  return { user: unescaped(url.username), password: unescaped(url.password) };
}

export function withoutCredentials(url: URL): URL {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain;
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
