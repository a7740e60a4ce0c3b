import type { Sandbox, SandboxOptions } from './options.ts';
import { startExtended } from './start.ts';

export { CodedError, type ErrorCode } from '../core/errors.ts';
export type { SandboxSwitches } from './options.ts';
export type { Sandbox, SandboxOptions };

/**
 * Starts a CMS that serves the API under /api/v1, and the pages and files to which its responses point. docs/sandbox.md
 * describes all of these.
 * @throws CodedError FF_SANDBOX_PORT if it cannot listen, FF_DATA_DIR if it cannot store its data, FF_USAGE for options that
 * do not fit.
 */
export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startExtended(options);
}
