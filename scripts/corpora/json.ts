import { basename, join } from 'node:path';
import { json } from '../../connectors/json/json.ts';
import { type ReadFile, readFile } from './read.ts';
import { readManifest, type SuiteResult } from './suite.ts';

interface Case {
  id: string;
  file: string;
  /** `either`: RFC 8259 leaves the decision to the parser. */
  expect: 'accept' | 'reject' | 'either';
}

/** Runs JSONTestSuite: valid JSON must be read to the end; anything else must be refused or reported as incomplete. */
export async function runJsonSuite(dir: string): Promise<SuiteResult> {
  const cases = readManifest<Case>(dir);
  const wrong: string[] = [];
  for (const { id, file, expect } of cases) {
    const accepted = isAccepted(await readFile(json, join(dir, file)));
    if (expect !== 'either' && accepted !== (expect === 'accept')) wrong.push(id);
  }
  const decided = cases.filter(({ expect }) => expect !== 'either').length;
  const note = `${cases.length - decided} undecided cases were read, too, without a crash`;
  return { suite: basename(dir), cases: decided, right: decided - wrong.length, wrong, note };
}

/** Whether the JSON was accepted. Valid JSON without a list of records is refused, but only for that reason. */
function isAccepted({ incomplete, refused }: ReadFile): boolean {
  return (
    incomplete.length === 0 && (refused === undefined || /does not have a list|has several lists/.test(refused.message))
  );
}
