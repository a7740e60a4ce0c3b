import type { Finding } from '../findings/finding.ts';

/** Tells what it runs on. That Node is new enough, the command line has seen to before. */
export async function* checkNode(): AsyncGenerator<Finding> {
  const { node, sqlite = 'none', icu, tz } = process.versions;
  const message = `Node ${node}, with SQLite ${sqlite} and the time zones of ${tz ?? `ICU ${icu ?? 'none'}`}.`;
  yield { check: 'node', is: 'ok', message };
}
