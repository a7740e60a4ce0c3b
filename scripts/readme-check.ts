// npm run test:readme: runs the commands of README word for word, like a new user: in a fresh clone, with an empty home, and without
// the programs of this checkout on the path. Does not run `npm test`, nor what works only once feedferry is published. Needs the npm
// registry.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';

const SERVER = 'feedferry sandbox\n';
const TESTS = /^npm test .*\n/m;

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)]
  .map(([, code = '']) => code)
  .filter((code) => !code.startsWith('# Once feedferry is published'));
if (!blocks.some((code) => TESTS.test(code))) throw new Error('README no longer names `npm test`.');

const dir = mkdtempSync(join(tmpdir(), 'feedferry-readme-'));
const home = join(dir, 'home');
const clone = join(dir, 'feedferry');
/** Working directory and PATH of the reader's terminal. The blocks change both. */
const terminal = { cwd: clone, path: pathOfStranger() };
const servers: ChildProcess[] = [];
try {
  mkdirSync(home);
  execFileSync('git', ['clone', '--quiet', root, clone], { stdio: 'inherit' });
  for (const block of blocks) await play(block.replace(TESTS, ''));
  console.log(`README: ${blocks.length} blocks worked.`);
} finally {
  for (const server of servers) await stop(server);
  rmSync(dir, { recursive: true, force: true });
}

async function play(code: string): Promise<void> {
  console.log(`\n${code.replaceAll(/^/gm, '$ ').replace(/\$ $/, '')}`);
  if (code === SERVER) return serve();
  // The shell reports the directory and PATH after the block through file descriptor 3.
  const shell = start(`${code}\nprintf '%s\\n' "$PWD" "$PATH" >&3`, ['ignore', 'inherit', 'inherit', 'pipe']);
  const [after, [exitCode]] = await Promise.all([text(shell.stdio[3] as NodeJS.ReadableStream), once(shell, 'exit')]);
  if (exitCode !== 0) throw new Error(`README: a block ended with exit code ${exitCode}:\n${code}`);
  const [cwd = '', path = ''] = after.split('\n');
  Object.assign(terminal, { cwd, path });
}

/** Starts the server, waits for its first line, and leaves it running. */
async function serve(): Promise<void> {
  const server = start(`exec ${SERVER}`, ['ignore', 'pipe', 'inherit']);
  servers.push(server);
  const [line] = await Promise.race([once(server.stdout as NodeJS.ReadableStream, 'data'), once(server, 'exit')]);
  if (server.exitCode !== null) throw new Error('README: the sandbox ended.');
  console.log(String(line));
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.kill()) await once(server, 'exit');
}

function start(code: string, stdio: Array<'ignore' | 'inherit' | 'pipe'>): ChildProcess {
  const env = { PATH: terminal.path, HOME: home, TMPDIR: dir, npm_config_cache: npmCache() };
  return spawn('bash', ['-euc', code], { cwd: terminal.cwd, env, stdio });
}

/** Returns PATH without the folders that npm adds for its scripts. */
function pathOfStranger(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp')).join(delimiter);
}

/** Returns the npm cache of this machine, so that packages are not downloaded again. */
function npmCache(): string {
  return execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
}
