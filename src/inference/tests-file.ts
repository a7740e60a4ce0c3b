import { Document } from 'yaml';
import { FORMAT, literal, WRITTEN } from './sync-file.ts';

/** A record and the payload to which its sync maps the record. */
export interface MappedExample {
  name: string;
  fields: Readonly<Record<string, unknown>>;
  expect: Readonly<Record<string, unknown>>;
}

/** Writes a file of mapping tests. */
export function testsFileText(sync: string, cases: readonly MappedExample[]): string {
  const document = new Document({ sync, cases: cases.map(literal) }, WRITTEN);
  document.commentBefore = ` What syncs/${sync}.yaml makes of records of its feed. Run it with: feedferry test ${sync}`;
  return document.toString(FORMAT);
}
