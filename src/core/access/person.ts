/** What a person or program may do in the console; each role includes the roles before it. */
export const roles = ['view', 'operate', 'approve'] as const;

export type ViewerRole = (typeof roles)[number];

/** The name that stands for everyone whom a proxy names. */
export const EVERYONE = '*';

/** A person or program that has access to the console by name. */
export interface Person {
  name: string;
  role: ViewerRole;
  /** Whether the person may draft syncs from feeds. It is not part of any role. */
  configure?: true;
  /** Hex SHA-256 of the token; absent: only a proxy can name this person. */
  tokenHash?: string;
}
