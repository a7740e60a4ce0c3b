// npm run dev -- NAME [arguments]: runs a program for developers of feedferry. Without a name, lists them.
import { join } from 'node:path';
import { programs } from './programs.ts';

const [name = '', ...rest] = process.argv.slice(2);
const program = programs[name];
if (program === undefined) {
  const width = Math.max(...Object.keys(programs).map(({ length }) => length));
  const lines = Object.entries(programs).map(([each, { does }]) => `  ${each.padEnd(width)}  ${does}`);
  const heading = name === '' ? 'npm run dev -- NAME [arguments]' : `There is no program "${name}". There are:`;
  process.stdout.write(`${[heading, ...lines].join('\n')}\n`);
  process.exitCode = name === '' ? 0 : 2;
} else {
  const path = join(import.meta.dirname, '..', program.file);
  process.argv = [process.execPath, path, ...rest];
  await import(path);
}
