import { timingSafeEqual } from 'node:crypto';
import { EVERYONE, type Person, roles, type ViewerRole } from '../../core/access/person.ts';
import { sha256 } from '../../core/hash.ts';

/** Shared token of each role that has one. */
export type Tokens = { readonly [role in ViewerRole]?: string };

/** What a token gives: a role, and a name unless the token is a shared one. */
export interface Credential {
  role: ViewerRole;
  name?: string;
  /** Whether a person with this token may draft syncs from feeds. */
  configure?: true;
  /** Hex SHA-256. */
  tokenHash: string;
}

export type AccessList = ReturnType<typeof createAccessList>;

/**
 * Lists the tokens and names that have access.
 * @param tokens shared tokens; who uses one types the name
 * @param people returns the people as of now; absent: there is no file of them
 */
export function createAccessList(tokens: Tokens, people?: () => readonly Person[]) {
  // A token that two roles share gives the higher role.
  const shared = roles.toReversed().flatMap((role): Credential[] => {
    const token = tokens[role];
    return token === undefined ? [] : [{ role, tokenHash: sha256(token) }];
  });
  return {
    /** Whether nobody has a token: then only the users of this machine have access. */
    isOpen: shared.length === 0 && people === undefined,
    hasShared: shared.length > 0,
    hasNamed: () => all().length > shared.length,
    all,
    find: (token: string) => withHash(sha256(token)),
    named,
  };

  function all(): Credential[] {
    const own = (people?.() ?? []).flatMap(({ tokenHash, ...person }) => (tokenHash ? { ...person, tokenHash } : []));
    return [...own, ...shared];
  }

  function withHash(hash: string): Credential | undefined {
    return all().find(({ tokenHash }) => timingSafeEqual(Buffer.from(tokenHash), Buffer.from(hash)));
  }

  /** Returns the person whom a proxy names; undefined for strangers. */
  function named(name: string): Person | undefined {
    const list = people?.() ?? [];
    return list.find((each) => each.name === name) ?? list.find((each) => each.name === EVERYONE);
  }
}
