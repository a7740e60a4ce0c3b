import { basename, join } from 'node:path';
import { json } from '../../connectors/json/json.ts';
import { type ReadFile, readFile } from './read.ts';
import { readManifest, type SuiteResult } from './suite.ts';

interface Case {
  id: string;
  file: string;
  /** `either`: RFC 8259 leaves it to the reader. */
  expect: 'accept' | 'reject' | 'either';
}

/** Runs JSONTestSuite: what is JSON must be read to its end, what is not must be refused or told to be incomplete. */
export async function runJsonSuite(dir: string): Promise<SuiteResult> {
  const cases = readManifest<Case>(dir);
  const wrong: string[] = [];
  for (const { id, file, expect } of cases) {
    const accepted = isAccepted(await readFile(json, join(dir, file)));
    if (expect !== 'either' && accepted !== (expect === 'accept')) wrong.push(id);
  }
  const decided = cases.filter(({ expect }) => expect !== 'either').length;
  const note = `${cases.length - decided} undecided cases read as well, without a crash`;
  return { suite: basename(dir), cases: decided, right: decided - wrong.length, wrong, note };
}

/** Documents that are valid JSON but hold no list of records are refused for just that. */
function isAccepted({ incomplete, refused }: ReadFile): boolean {
  return (
    incomplete.length === 0 && (refused === undefined || /does not have a list|has several lists/.test(refused.message))
  );
}
