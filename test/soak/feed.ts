import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Expected } from '../crash/source.ts';
import type { FeedServer } from './feed-server.ts';
import type { SoakSync } from './syncs.ts';
import type { Trouble } from './trouble.ts';

/** How a feed changes: positions, modulo how many records there are. */
export interface Edit {
  changed: number[];
  /** Those that go, or come back. */
  flipped: number[];
  trouble: Trouble;
}

/** A feed whose records change, come and go; of ever the same ones, so that what is kept of them has a bound. */
export interface SoakFeed {
  readonly sync: SoakSync;
  /** All that it has ever had, and will have. */
  readonly records: number;
  edit(edit: Edit): void;
  /** What it has now. */
  present(): Expected[];
  /** Keys that it had before, or may have had. */
  absent(): string[];
}

const WEB_PAGE = '<!doctype html><title>Sign in</title><form action="/login"><input name="user"></form>';

/** Publishes a feed, with two records in three at first. */
export function openFeed(sync: SoakSync, size: number, folder: string, server: FeedServer): SoakFeed {
  const records = Array.from({ length: size }, (_, id) => ({ id, count: 0, isPresent: id % 3 !== 0 }));
  publish('none');
  return {
    sync,
    records: size,
    edit({ changed, flipped, trouble }) {
      for (const position of changed) at(position).count += 1;
      for (const position of flipped) at(position).isPresent = !at(position).isPresent;
      publish(trouble);
    },
    present,
    absent: () => records.filter(({ isPresent }) => !isPresent).map(({ id, count }) => sync.expect(id, count).key),
  };

  function at(position: number) {
    return records[position % size]!;
  }

  function present(): Expected[] {
    return records.filter(({ isPresent }) => isPresent).map(({ id, count }) => sync.expect(id, count));
  }

  function publish(trouble: Trouble): void {
    const content = trouble === 'web page' ? WEB_PAGE : sync.write(trouble === 'empty' ? [] : present());
    if (sync.place === 'http') server.publish(sync.file, content, trouble);
    else publishFile(join(folder, sync.file), content, trouble);
  }
}

function publishFile(path: string, content: string, trouble: Trouble): void {
  if (trouble === 'unavailable') {
    rmSync(path, { force: true });
    return;
  }
  writeFileSync(`${path}.new`, trouble === 'cut off' ? content.slice(0, content.length / 2) : content);
  renameSync(`${path}.new`, path);
}
