import { type Finding, ok } from '../findings/finding.ts';

/** Reports the runtime. The command line has already checked that Node is new enough. */
export async function* checkNode(): AsyncGenerator<Finding> {
  const { node, sqlite = 'none', icu, tz } = process.versions;
  yield ok('node', `Node ${node} with SQLite ${sqlite} and time zone data ${tz ?? `of ICU ${icu ?? 'none'}`}.`);
}
