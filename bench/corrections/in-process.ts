import { runProgram } from '../../src/cli/program.ts';

/**
 * Runs a command with --json in this process, and returns the lines that it prints: starting a process for each would take twenty
 * times as long. The command may end with another code than 0: rejected records are scored. @throws Error if it prints no result
 */
export async function commandLines(config: string, ...args: string[]): Promise<string[]> {
  const { stdout, stderr } = process;
  const real = { stdout: stdout.write, stderr: stderr.write };
  let printed = '';
  stdout.write = (text: string | Uint8Array) => {
    printed += text.toString();
    return true;
  };
  stderr.write = () => true;
  try {
    await runProgram([...args, '--json', '--config', config]);
  } finally {
    process.exitCode = undefined;
    stdout.write = real.stdout;
    stderr.write = real.stderr;
  }
  if (printed === '' || printed.startsWith('{"error"')) throw new Error(printed);
  return printed.split('\n').filter((line) => line !== '');
}
