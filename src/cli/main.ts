#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// Checks the version before importing anything that an old Node cannot load.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`feedferry needs Node 22.19 or newer. This is Node ${process.version}.\n`);
  process.exit(1);
}
const { enableCompileCache, registerHooks } = process.getBuiltinModule('node:module');
// Caches the compiled code in the program's folder, where only users who can change the program can write. A process that cannot
// write there runs without a cache.
enableCompileCache(`${import.meta.dirname}/../../.cache`);
// A command imports hundreds of small files. Node looks for each of them on the disk, and follows links, before it reads the file,
// which is a sixth of the time of a start. Files of this program and of its packages that import each other exist.
const ownFiles = new URL('../../', import.meta.url).href;
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '', conditions } = context;
    const isOwn = parentURL.startsWith(ownFiles) || parentURL.includes('/node_modules/');
    const isFile = /^\.\.?\/.*\.js$/.test(specifier) && conditions.includes('import');
    return isOwn && isFile
      ? { url: new URL(specifier, parentURL).href, shortCircuit: true }
      : nextResolve(specifier, context);
  },
});
const { runProgram } = await import('./program.ts');

// Exits without an error if the reader closes the pipe (`feedferry preview … | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});
await runProgram(process.argv.slice(2));

export {};
