import { dirname } from 'node:path';
import { isObject } from '../../core/record.ts';
import type { Path } from '../files/config-file.ts';
import { listFolder, syncName } from '../files/sync-files.ts';
import type { Issue } from './validate.ts';

/**
 * Checks the former names in a sync file, those of the sync and those of its sources. A sync takes over the records of its
 * former names, so no sync may have such a name, and no two may take over the same records.
 * @param file absolute path of the sync file
 */
export function checkFormerNames(value: Record<string, unknown>, file: string): Issue[] {
  const present = listFolder(dirname(file)).map(syncName);
  const seen = new Set<string>();
  return formerNames(value).flatMap(({ path, former }): Issue[] => {
    const mistake = mistakeOf(former);
    seen.add(former);
    return mistake === undefined ? [] : [{ path, part: 'value', message: mistake }];
  });

  function mistakeOf(former: string): string | undefined {
    if (seen.has(former)) return 'names a former sync for the second time';
    if (former === syncName(file)) return 'names this sync itself, so its file must be renamed first';
    return present.includes(former) ? 'names a sync that has a file' : undefined;
  }
}

function formerNames({ renamedFrom, sources }: Record<string, unknown>): Array<{ path: Path; former: string }> {
  return [
    ...entriesOf(['renamedFrom'], renamedFrom),
    ...Object.entries(isObject(sources) ? sources : {}).flatMap(([name, source]) =>
      entriesOf(['sources', name, 'renamedFrom'], isObject(source) ? source.renamedFrom : undefined),
    ),
  ];
}

function entriesOf(path: Path, names: unknown): Array<{ path: Path; former: string }> {
  if (typeof names === 'string') return [{ path, former: names }];
  if (!Array.isArray(names)) return [];
  return names.map((former, index) => ({ path: [...path, index], former: String(former) }));
}
