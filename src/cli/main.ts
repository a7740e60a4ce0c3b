#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// Checks the version before importing anything that an old Node cannot load.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`feedferry needs Node 22.19 or newer. This is Node ${process.version}.\n`);
  process.exit(1);
}
await import('./program.ts');

export {};
