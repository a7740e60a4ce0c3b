import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../core/hash.ts';
import { parseJson } from '../core/record.ts';
import type { KeptSheet, SheetStore } from '../source/lookup-sheets.ts';

/** Keeps the last good copies of lookup tables in the data folder. A table that cannot be kept is read again. */
export function createSheetStore(dataDir: string): SheetStore {
  const placeOf = (location: string) => join(dataDir, 'lookups', `${sha256(location)}.json`);
  return {
    find(location) {
      try {
        return parseJson(readFileSync(placeOf(location), 'utf8')) as KeptSheet | undefined;
      } catch {
        return undefined;
      }
    },
    keep(location, sheet) {
      const place = placeOf(location);
      try {
        mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
        const written = `${place}.${process.pid}`;
        writeFileSync(written, JSON.stringify(sheet), { mode: 0o600 });
        renameSync(written, place);
      } catch {
        // The next run reads the table anyway.
      }
    },
  };
}
