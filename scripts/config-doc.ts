// Writes what the docs show of the code: the keys of the config from its schemas, the options of the commands, and what a record may
// be from scripts/record-states.ts and src/sync/deliver/protocol.ts. Run it after a change there: npm run dev -- docs:config
import { readFileSync, writeFileSync } from 'node:fs';
import { connectors } from '../connectors/index.ts';
import { listsOfCommands } from './command-lists.ts';
import { referenceFiles, tablesOfKeys, withReferenceTables } from './config-reference.ts';
import { listsOfRecords } from './record-lists.ts';

const tables = tablesOfKeys(connectors.map(({ kind }) => kind));
const lists = { ...listsOfRecords(), ...(await listsOfCommands()) };
for (const file of referenceFiles('docs')) {
  writeFileSync(file, withReferenceTables(readFileSync(file, 'utf8'), tables, lists));
}
