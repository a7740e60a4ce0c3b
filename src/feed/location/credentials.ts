import { Buffer } from 'node:buffer';
import { decodeUrlPart } from './location.ts';

/** A bearer token (RFC 6750), or user name and password (basic, RFC 7617). */
export type Credentials = { bearer: string } | { user: string; password: string };

/** Formats the value of the Authorization header. */
export function authorization(credentials: Credentials): string {
  if ('bearer' in credentials) return `Bearer ${credentials.bearer}`;
  return `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`;
}

/** Reads the credentials in a URL (`https://user:password@…`). */
export function credentialsOf({ username, password }: URL): Credentials | undefined {
  if (username === '' && password === '') return undefined;
  return { user: decodeUrlPart(username), password: decodeUrlPart(password) };
}
