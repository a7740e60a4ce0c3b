import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Who holds a lease: host, process id and a token of this process, so that a reused process id is not mistaken for it. */
export const thisProcess = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/** A name for one part of this process, where several of them hold leases of their own. */
export function partOfThisProcess(): string {
  return `${thisProcess}/${randomUUID().slice(0, 8)}`;
}

/** Whether the holder certainly runs no more. Of other machines nothing is certain: their leases have to lapse. */
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
