import { userInfo } from 'node:os';

/** Returns the name of the user of this process; a container may have none. */
export function machineUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
