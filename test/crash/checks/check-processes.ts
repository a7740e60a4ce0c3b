import type { Finished } from '../crew.ts';
import { runsOf } from '../sync.ts';
import type { Finding } from './finding.ts';

/** Whether the processes that ended by themselves did so in order: with counts that balance, and without a bug. */
export function checkProcesses(finished: readonly Finished[]): Finding[] {
  const byThemselves = finished.filter(({ exitCode }) => exitCode !== null);
  return byThemselves.flatMap((process) => [...unbalanced(process), ...crashes(process)]);
}

function unbalanced(process: Finished): Finding[] {
  return runsOf(process).flatMap(({ run, sync, counts }): Finding[] => {
    const { read, created, updated, unchanged, rejected, failed, held, skipped, notSent = 0 } = counts;
    if (read === created + updated + unchanged + rejected + failed + held + skipped + notSent) return [];
    return [{ is: 'other', what: `the counts of run ${run} of ${sync} do not balance: ${JSON.stringify(counts)}` }];
  });
}

/** Servers that go away make a command fail with a code; what it must not do is fall over. */
function crashes({ name, stderr }: Finished): Finding[] {
  const [fall] = /^\w*Error: .*(?:\n {4}at .*){0,3}/m.exec(stderr) ?? [];
  if (/^Node\.js v\d/m.test(stderr)) return [{ is: 'other', what: `${name} fell over: ${fall ?? stderr}` }];
  const [bug] = /^.*FF_BUG.*$/m.exec(stderr) ?? [];
  return bug ? [{ is: 'other', what: `${name} calls it a bug: ${bug}` }] : [];
}
