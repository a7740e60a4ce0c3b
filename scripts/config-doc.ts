// Writes the tables of keys in the docs from the schemas in src/config, and what a record may be from scripts/record-states.ts
// and src/sync/deliver/protocol.ts. Run it after a change there: npm run docs:config
import { readFileSync, writeFileSync } from 'node:fs';
import { connectors } from '../connectors/index.ts';
import { referenceFiles, tablesOfKeys, withReferenceTables } from './config-reference.ts';
import { listsOfRecords } from './record-lists.ts';

const tables = tablesOfKeys(connectors.map(({ kind }) => kind));
const lists = listsOfRecords();
for (const file of referenceFiles('docs')) {
  writeFileSync(file, withReferenceTables(readFileSync(file, 'utf8'), tables, lists));
}
