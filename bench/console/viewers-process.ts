import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Lets people look at a run and at the overview, from a process of its own.
 * @returns a function that ends it and returns how long their pages took until the first byte, in ms
 */
export function startViewers(url: string, run: string, viewers: number): () => Promise<number[]> {
  const child = fork(join(import.meta.dirname, '../viewers.ts'), [url, run, String(viewers)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  return async () => {
    child.send('stop');
    const [times] = (await once(child, 'message')) as [number[]];
    child.disconnect();
    return times;
  };
}
