// Preloaded (node --import): writes the statements that a command sends to a SQLite ledger to the file STATEMENTS, each once.
import { writeFileSync } from 'node:fs';
import { recordStatements } from '../test/support/sql-statements.ts';

const file = process.env.STATEMENTS ?? '';
const { statements } = recordStatements('ledger.sqlite');
process.on('exit', () => writeFileSync(file, JSON.stringify([...new Set(statements)])));
