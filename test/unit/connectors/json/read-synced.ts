import { connectors } from '../../../../connectors/index.ts';
import { loadConfig } from '../../../../src/config/load.ts';
import { readSource } from '../../../../src/source/read-source.ts';
import { env, folder, target } from '../../config/setup.ts';
import { serve } from '../../feed/server.ts';

/** Records of a list. */
export const items = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ id: from + index + 1 }));

/** Reads the feed of a sync file: its keys, warnings and receipt. */
export async function readSynced(source: string, connector = 'json') {
  const text = `resource: accounts\nsource:\n  connector: ${connector}\n  ${source}\nkey: id\nmap: { firstName: id }\n`;
  const config = loadConfig(folder({ 'feedferry.yaml': target, 'syncs/a.yaml': text }), connectors, env);
  const [sync] = config.syncs;
  if (!sync) throw new Error('no sync');
  const reading = readSource(sync, config.target, { signal: new AbortController().signal });
  const ids: unknown[] = [];
  for await (const mapped of reading.records) ids.push(mapped.is === 'desired' ? mapped.record.key : mapped.is);
  return { ids, warnings: reading.warnings, ...reading.receipt() };
}

/** Reads one answer of a server. */
export async function readAnswer(
  body: unknown,
  { headers = {}, status = 200, source = '', connector = 'json' }: AnswerOptions = {},
) {
  const { url } = await serve((_, response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body)),
  );
  return readSynced(`url: "${url}/"\n  allowPrivateNetwork: true${source}`, connector);
}

interface AnswerOptions {
  headers?: Record<string, string | string[]>;
  status?: number;
  /** Further lines of the config, each after `\n  `. */
  source?: string;
  connector?: string;
}
