// Writes the tables of keys in the docs from the schemas in src/config. Run it after a change there: npm run docs:config
import { readFileSync, writeFileSync } from 'node:fs';
import { connectors } from '../connectors/index.ts';
import { referenceFiles, withReferenceTables } from './config-reference.ts';

const kinds = connectors.map(({ kind }) => kind);
for (const file of referenceFiles) writeFileSync(file, withReferenceTables(readFileSync(file, 'utf8'), kinds));
