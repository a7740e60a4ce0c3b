import { checkTestsText } from '../../config/mapping-tests.ts';
import type { SyncConfig } from '../../config/types.ts';
import { isObject, type SourceRecord } from '../../core/record.ts';
import { looksSecret } from '../../core/text/secret-names.ts';
import { type MappedExample, testsFileText } from '../../inference/tests-file.ts';
import type { Mapping } from '../../mapping/compile.ts';
import { mappedFields } from '../../mapping/field-usage.ts';
import { connectorOf } from '../../source/connector-of.ts';
import { runMappingTest } from '../mapping-tests.ts';

const MOST_CASES = 3;
/** Number of records to try. Some cannot be mapped, or not from their fields alone. */
const MOST_TRIED = 100;
/** Longest record in characters of JSON; people would not read a longer example. */
const LONGEST = 20_000;

type Fields = SourceRecord['fields'];

/** Writes mapping tests with the first three records that can be mapped; returns undefined if none can. */
export function testsText(sync: SyncConfig, records: readonly SourceRecord[], map: Mapping): string | undefined {
  const cases: MappedExample[] = [];
  const isUsed = fieldFilter(sync);
  for (const { at, fields } of records.slice(0, MOST_TRIED)) {
    const mapped = map({ at, fields });
    if (mapped.is !== 'desired' || cases.length === MOST_CASES) continue;
    const variants = [fieldsOf(fields, isUsed), fieldsOf(fields, () => true)];
    for (const variant of variants) {
      const example = { name: at, fields: variant, expect: mapped.record.payload };
      if (JSON.stringify(variant).length > LONGEST || !passes(sync.name, example, map)) continue;
      cases.push(example);
      break;
    }
  }
  return cases.length > 0 ? testsFileText(sync.name, cases) : undefined;
}

/** Whether a test passes after it was written to its file and read again. */
function passes(sync: string, example: MappedExample, map: Mapping): boolean {
  const { cases } = checkTestsText(`tests/${sync}.yaml`, testsFileText(sync, [example]));
  const results = cases.map((test) => runMappingTest(test, map));
  return results.every(({ mistake, differences }) => mistake === undefined && differences.length === 0);
}

/** Returns a filter for the fields that payload and key are mapped from. */
function fieldFilter(sync: SyncConfig): (name: string) => boolean {
  const used = [...mappedFields({ ...sync, attachments: {} }, connectorOf(sync).defaultMap)];
  return (name) => used.some((field) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`));
}

/** The fields with a value, without passwords and other secrets at any depth. */
function fieldsOf(fields: Fields, isUsed: (name: string) => boolean): Fields {
  const used = Object.entries(fields).filter(([name]) => isUsed(name));
  return Object.fromEntries(used.flatMap(withoutSecrets));
}

function withoutSecrets([name, value]: [string, unknown]): Array<[string, unknown]> {
  if (looksSecret(name) || name === '__proto__' || value === undefined) return [];
  if (Array.isArray(value)) return [[name, value.map((item) => (isObject(item) ? fieldsOf(item, () => true) : item))]];
  return [[name, isObject(value) ? fieldsOf(value, () => true) : value]];
}
