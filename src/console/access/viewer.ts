import { roles, type ViewerRole } from '../../core/access/person.ts';

/** Sender of a request. */
export interface Viewer {
  /** The name for the history: of the token, or as the proxy says; without tokens, the user of this machine. */
  name: string;
  /** Identifies the token or person; unlike the name, never typed by the sender. */
  holder: string;
  role: ViewerRole;
  /** Whether the viewer may draft syncs from feeds. */
  mayConfigure?: true | undefined;
  /** Whether the viewer may also save them in the config folder. */
  maySave?: true | undefined;
  /** Whether the name is that of one person: of an own token, or as a proxy says. */
  isNamed?: boolean;
  via: 'console' | 'api';
  /** For the hidden field `csrf` of forms. */
  csrfToken: string;
  /** Whether the viewer used the log-in page, and so can log out. */
  hasSession?: boolean;
}

/** Returns whether a viewer has the role needed, or a role that includes it. */
export function mayDo({ role }: Pick<Viewer, 'role'>, needed: ViewerRole): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
