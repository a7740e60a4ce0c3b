// People who look at a run: viewers.ts <address> <run> <how many>, started by console/viewers-process.ts. Each has the page of the
// run open, which loads itself again, and loads the overview every few seconds.
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from './console/request.ts';

const EVERY_MS = 5_000;
const FOLLOWED_EVERY_MS = 2_000;

const [url = '', run = '', viewers = '0'] = process.argv.slice(2);
const times: number[] = [];
let isOver = false;

for (let viewer = 1; viewer <= Number(viewers); viewer += 1) void look(viewer);
process.once('message', () => {
  isOver = true;
  process.send?.(times);
});
process.once('disconnect', () => process.exit());

async function look(viewer: number): Promise<void> {
  // They did not come at the same time.
  await sleep((viewer * EVERY_MS) / Number(viewers));
  void follow(viewer);
  while (!isOver) {
    const { status, firstByteMs } = await load(url, viewer);
    if (status !== 200) throw new Error(`The overview answered with status ${status}.`);
    times.push(firstByteMs);
    await sleep(EVERY_MS);
  }
}

async function follow(viewer: number): Promise<void> {
  while (!isOver) {
    await load(`${url}/runs/${run}`, viewer);
    await sleep(FOLLOWED_EVERY_MS);
  }
}
