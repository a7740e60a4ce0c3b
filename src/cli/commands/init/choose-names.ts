import type { AccessOptions } from '../../../app/init/feed-access.ts';
import type { ProposedSync } from '../../../app/init/propose-sync.ts';
import { syncNameOf } from '../../../app/init/sync-name.ts';

/** The options of the command line. */
export interface InitOptions extends AccessOptions {
  yes?: boolean;
  force?: boolean;
  name?: string;
  recipe?: string;
  set?: readonly string[];
}

/** Chooses a name for each sync: the given name, or a name from the feed's address, with a number if the name is taken. */
export function chooseNames(proposed: readonly ProposedSync[], given: string | undefined): string[] {
  if (given !== undefined) return [given];
  const names: string[] = [];
  for (const { sample, proposal } of proposed) {
    const name = syncNameOf(sample.url, proposal.resource.value);
    let free = name;
    for (let number = 2; names.includes(free); number += 1) free = `${name}-${number}`;
    names.push(free);
  }
  return names;
}
