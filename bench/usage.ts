// Preloaded into a measured process (node --import): reports on file descriptor 3, when it ends, what it has used.
import { readFileSync, writeSync } from 'node:fs';

/** Peak of the resident set in bytes; user and system CPU time in seconds. */
export interface Usage {
  peakBytes: number;
  cpuSeconds: number;
}

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage: Usage = {
    peakBytes: (ownPeakKb() ?? maxRSS) * 1024,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
  };
  writeSync(3, JSON.stringify(usage));
});

/** What Linux counts as the peak of this program; `maxRSS` also counts the process that it was forked from. */
function ownPeakKb(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const peak = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return peak === undefined ? undefined : Number(peak);
}
