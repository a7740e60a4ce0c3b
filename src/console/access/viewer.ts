/** What a person or program may do; each role includes the roles before it. */
export const roles = ['view', 'operate', 'approve'] as const;

export type ViewerRole = (typeof roles)[number];

/** Sender of a request. */
export interface Viewer {
  /** The name given at log-in; without a log-in, the user of this machine. */
  name: string;
  role: ViewerRole;
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
