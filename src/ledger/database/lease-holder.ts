import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Holder of leases: host, process id, and a token that distinguishes this process from a later one with its id. */
export const thisProcess = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/** Holder for a part of this process that has leases of its own. */
export function partOfThisProcess(): string {
  return `${thisProcess}/${randomUUID().slice(0, 8)}`;
}

/** Whether the holder has certainly exited. That is unknown of other machines: their leases have to lapse. */
export function isGone(holder: string): boolean {
  if (holder === thisProcess || holder.startsWith(`${thisProcess}/`)) return false;
  const [host, pid] = holder.split('/');
  if (host !== hostname()) return false;
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
