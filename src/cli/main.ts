#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// Checks the version before importing anything that an old Node cannot load.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`feedferry needs Node 22.19 or newer. This is Node ${process.version}.\n`);
  process.exit(1);
}
// Caches the compiled code in the program's folder, where only users who can change the program can write. A process that cannot
// write there runs without a cache.
process.getBuiltinModule('node:module').enableCompileCache(`${import.meta.dirname}/../../.cache`);
const { runProgram } = await import('./program.ts');

// Exits without an error if the reader closes the pipe (`feedferry preview … | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});
await runProgram(process.argv.slice(2));

export {};
