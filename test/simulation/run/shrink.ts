import type { Happening } from '../plan/happenings.ts';
import { type Played, play } from '../play.ts';

/** Leaves out happenings one after the other, as long as the run still finds the same kind of thing. */
export async function shrink(failed: Played, replay = play): Promise<Played> {
  const kinds = new Set(failed.findings.map(({ is }) => is));
  let smallest = failed;
  for (let size = Math.ceil(failed.happenings.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < smallest.happenings.length; ) {
      const played = await replay(failed.seed, without(smallest.happenings, start, size));
      if (played.findings.some(({ is }) => kinds.has(is))) smallest = played;
      else start += size;
    }
  }
  return smallest;
}

function without(happenings: readonly Happening[], start: number, size: number): Happening[] {
  return happenings.toSpliced(start, size);
}
