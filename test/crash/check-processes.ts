import type { Finished } from './crew.ts';
import type { Finding } from './finding.ts';
import { runsOf } from './sync.ts';

/** Whether the processes that ended by themselves did so in order: with counts that balance, and without a bug. */
export function checkProcesses(finished: readonly Finished[]): Finding[] {
  return finished.flatMap((process) => [...unbalanced(process), ...crashes(process)]);
}

function unbalanced(process: Finished): Finding[] {
  return runsOf(process).flatMap(({ run, sync, counts }): Finding[] => {
    const { read, created, updated, unchanged, rejected, failed, held, skipped } = counts;
    if (read === created + updated + unchanged + rejected + failed + held + skipped) return [];
    return [{ is: 'other', what: `the counts of run ${run} of ${sync} do not balance: ${JSON.stringify(counts)}` }];
  });
}

/** Servers that go away make a command fail with a code; what it must not do is fall over. */
function crashes({ name, stderr }: Finished): Finding[] {
  const [uncaught] = /^.*\n(?=\s+at |.*\nNode\.js v)/m.exec(stderr) ?? [];
  if (/^Node\.js v\d/m.test(stderr)) return [{ is: 'other', what: `${name} fell over: ${uncaught ?? stderr.trim()}` }];
  const bug = /^.*FF_BUG.*$/m.exec(stderr);
  return bug ? [{ is: 'other', what: `${name} calls it a bug: ${bug[0].slice(0, 500)}` }] : [];
}
