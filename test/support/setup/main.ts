// npm run test:setup: installs Redis, PostgreSQL and Chromium for the tests (as root on Debian), or prints how to install them.
// Exits with 1 if one of the three is missing.
import { findTestPrograms, missingPackages } from '../find-programs.ts';

const { REDIS_URL, DATABASE_URL } = process.env;
const needs = { redis: !REDIS_URL, postgres: !DATABASE_URL, chromium: true };

const { redisServer, postgresBin, chromium } = findTestPrograms(needs);
const found = {
  Redis: REDIS_URL ? 'REDIS_URL' : redisServer,
  PostgreSQL: DATABASE_URL ? 'DATABASE_URL' : postgresBin,
  Chromium: chromium,
};
for (const [program, where = 'missing'] of Object.entries(found)) console.log(`${program.padEnd(10)}  ${where}`);

const missing = missingPackages(needs);
if (missing.length > 0) {
  console.log(`
Install what is missing, and run "npm run test:setup" again:
  Debian  sudo apt-get install --no-install-recommends ${missing.join(' ')}
  RHEL    sudo dnf install redis postgresql-server chromium
          (chromium is in EPEL; from RHEL 10 on, valkey-compat-redis replaces redis)
  macOS   brew install redis postgresql && brew install --cask google-chrome
Their programs have to be on the PATH: redis-server, initdb, postgres, chromium or google-chrome.
REDIS_URL and DATABASE_URL may name servers instead.`);
  process.exitCode = 1;
}
