import type { Finding } from '../checks/finding.ts';

/** Something that happens to a site between runs, and what its operator does about it. Each step returns its findings. */
export interface Mishap {
  /** Makes the backups that it needs; the site is at rest. */
  prepare?(): Promise<void>;
  /** Without external ids, the site is at rest, and its operator follows the documentation at once. */
  strike(): Promise<Finding[]>;
  /** What the operator does when the trouble is over. */
  recover?(): Promise<Finding[]>;
}
