import { hash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * This machine, in so far as the same process id means the same process: containers may share a host name, and a virtual
 * machine may be copied with its name, but not with its boot id and namespace of process ids (Linux).
 */
export const thisMachine = `${hostname()}${spaceOfProcessIds()}`;

/** Holder of leases: machine, process id with start time, and a token that is unique to this process. */
export const thisProcess = `${thisMachine}/${process.pid}@${startOf(process.pid) ?? ''}/${randomUUID().slice(0, 8)}`;

/** Returns host and process id of a holder, for people. */
export function processName(holder: string): string {
  const [machine = '', idAndStart = ''] = holder.split('/');
  return [machine.split(':')[0], idAndStart.split('@')[0]].join('/');
}

/** Whether the holder has certainly exited. For other machines this is unknown: their leases have to lapse. */
export function isGone(holder: string): boolean {
  if (holder === thisProcess || holder.startsWith(`${thisProcess}/`)) return false;
  const [machine, idAndStart = ''] = holder.split('/');
  if (machine !== thisMachine) return false;
  const [id, start] = idAndStart.split('@');
  const pid = Number(id);
  if (pid === process.pid || !isAlive(pid)) return true;
  const current = startOf(pid);
  return Boolean(start) && current !== undefined && current !== start;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function spaceOfProcessIds(): string {
  try {
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return `:${hash('sha256', `${bootId} ${readlinkSync('/proc/self/ns/pid')}`).slice(0, 8)}`;
  } catch {
    return '';
  }
}

/** When a process started, in ticks since the machine was booted; undefined if the time cannot be read (proc_pid_stat(5)). */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may contain blanks and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
