import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { terminalPicture } from './terminal-picture.ts';

const root = resolve(import.meta.dirname, '..');

/** Pictures of golden output, by their names, with their titles. */
const OF_GOLDENS = {
  plan: 'A plan: one event to create, one to update, two rejected',
  status: 'The status of two syncs, with what needs attention',
  'held-run': 'A run that is held, because most events are missing from the feed',
  explain: 'The whole story of one event',
};

/** Draws the pictures of the docs, by their file names. */
export function picturesOfDocs(): Map<string, string> {
  const ofGoldens = Object.entries(OF_GOLDENS).map(([name, title]): [string, string] => {
    const golden = read(`test/fixtures/golden/output/${name}.80.txt`);
    return [`${name}.svg`, terminalPicture(title, golden.replace(/\n\[exit code \d+\]\n$/, ''))];
  });
  const tutorial = read('docs/first-sync.md');
  const [, session = ''] = /^## 6\..*?^```console\n(.*?)^```$/ms.exec(tutorial) ?? [];
  const title = 'A plan shows what a changed feed would change; the sync does it, and rejects a line that is wrong';
  return new Map([...ofGoldens, ['first-sync.svg', terminalPicture(title, session)]]);
}

function read(file: string): string {
  return readFileSync(resolve(root, file), 'utf8');
}
