/** What a person or program may do; each role may do what those before it may. */
export const roles = ['view', 'operate', 'approve'] as const;

export type ViewerRole = (typeof roles)[number];

/** Who sends a request. */
export interface Viewer {
  /** The name given at log-in; without a log-in, the user of this machine. */
  name: string;
  role: ViewerRole;
  via: 'console' | 'api';
  /** For the hidden field `csrf` of forms. */
  csrfToken: string;
  /** Logged in with the page for it, and can log out. */
  hasSession?: boolean;
}

/** Returns whether a viewer has a role, or one that includes it. */
export function mayDo({ role }: Pick<Viewer, 'role'>, needed: ViewerRole): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
