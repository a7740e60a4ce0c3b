import type { NamedSource, SyncConfig, TargetConfig } from '../config/types.ts';
import { joinReceipts } from '../core/feed.ts';
import type { Mapped } from '../core/record.ts';
import { mapAll, type ReadRecord, type SourceReading } from '../core/source-reading.ts';
import { type ReadOptions, readSource } from './read-source.ts';

interface NamedReading {
  name: string;
  reading: SourceReading;
}

/**
 * Reads and maps the feed of a sync as `readSource` does, or all its feeds one after the other, best first. Places, warnings
 * and reasons then begin with the name of the source.
 */
export function readSources(sync: SyncConfig, target: TargetConfig, options: ReadOptions): SourceReading {
  return sync.sources ? readAll(sync.sources, target, options) : readSource(sync, target, options);
}

function readAll(sources: readonly NamedSource[], target: TargetConfig, options: ReadOptions): SourceReading {
  const named = sources.map(({ name, sync }) => ({ name, reading: readSource(sync, target, options) }));
  const readings = named.map(({ reading }) => reading);
  const unmappedRecords = recordsOf(named);
  return {
    async open() {
      const opened = [];
      for (const reading of readings) opened.push(await reading.open());
      return opened.every((state) => state === 'unmodified') ? 'unmodified' : 'modified';
    },
    unmappedRecords,
    records: mapAll(unmappedRecords),
    receipt: () => joinReceipts(named.map(({ name, reading }) => ({ ...reading.receipt(), source: name }))),
    get warnings() {
      return named.flatMap(({ name, reading }) => reading.warnings.map((warning) => placed(name, warning)));
    },
    get fields() {
      return new Set(readings.flatMap(({ fields }) => [...fields]));
    },
    get unmapped() {
      return new Map(readings.toReversed().flatMap(({ unmapped }) => [...unmapped]));
    },
    describeHtml: () => describe(named, (reading) => reading.describeHtml()),
    describeMissing: () => describe(named, (reading) => reading.describeMissing()),
  };
}

async function* recordsOf(named: readonly NamedReading[]): AsyncGenerator<ReadRecord> {
  for (const { name, reading } of named) {
    for await (const record of reading.unmappedRecords) {
      yield { ...placed(name, record), map: async () => placeMapped(name, await record.map()) };
    }
  }
}

function placeMapped(name: string, mapped: Mapped): Mapped {
  if (mapped.is === 'rejected') return { ...mapped, rejection: placed(name, mapped.rejection) };
  if (mapped.is === 'skipped') return placed(name, mapped);
  const warnings = mapped.warnings.map((warning) => placed(name, warning));
  return { ...mapped, record: placed(name, mapped.record), warnings };
}

function placed<Placed extends { at: string }>(name: string, value: Placed): Placed {
  return { ...value, at: `${name}, ${value.at}` };
}

function describe(named: readonly NamedReading[], linesOf: (reading: SourceReading) => string[]): string[] {
  return named.flatMap(({ name, reading }) => linesOf(reading).map((line) => `${name}: ${line}`));
}
