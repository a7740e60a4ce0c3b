#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// Checks the version before importing anything that an old Node cannot load.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`feedferry needs Node 22.19 or newer. This is Node ${process.version}.\n`);
  process.exit(1);
}
// Keeps the compiled code beside the program: only those who could change the program can write there. If this process cannot,
// it does without.
process.getBuiltinModule('node:module').enableCompileCache(`${import.meta.dirname}/../../.cache`);
await import('./program.ts');

export {};
