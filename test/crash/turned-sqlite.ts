// Preloaded into a process: SQLite's clock shows the time of this machine plus as many ms as the file LEDGER_CLOCK says.
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import sqlite from 'node:sqlite';

const { LEDGER_CLOCK: file = '' } = process.env;
// The clock that JavaScript sees may be turned, too.
const now = () => performance.timeOrigin + performance.now();

sqlite.DatabaseSync = class extends sqlite.DatabaseSync {
  constructor(...options: ConstructorParameters<typeof sqlite.DatabaseSync>) {
    super(...options);
    this.function('unixepoch', { varargs: true }, () => (now() + Number(readFileSync(file, 'utf8'))) / 1000);
  }
};
syncBuiltinESMExports();
