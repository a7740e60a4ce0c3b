import { Command, CommanderError } from 'commander';
import { version } from '../app/version.ts';
import { EXIT } from './command.ts';

const program = new Command('feedferry')
  .description('Syncs calendar events and accounts from feeds to a website’s CMS.')
  .version(version())
  .exitOverride()
  .showSuggestionAfterError();

/** In the order of the help. Only the requested command is loaded: it starts faster without the others. */
const commands: Record<string, () => Promise<Command>> = {
  sync: async () => (await import('./commands/sync.ts')).syncCommand,
  plan: async () => (await import('./commands/plan.ts')).planCommand,
  preview: async () => (await import('./commands/preview.ts')).previewCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  runs: async () => (await import('./commands/runs.ts')).runsCommand,
  rejects: async () => (await import('./commands/rejects.ts')).rejectsCommand,
  retry: async () => (await import('./commands/retry.ts')).retryCommand,
  approve: async () => (await import('./commands/approve.ts')).approveCommand,
  backfill: async () => (await import('./commands/backfill.ts')).backfillCommand,
  undo: async () => (await import('./commands/undo.ts')).undoCommand,
  purge: async () => (await import('./commands/purge.ts')).purgeCommand,
  release: async () => (await import('./commands/release.ts')).releaseCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  explain: async () => (await import('./commands/explain.ts')).explainCommand,
  validate: async () => (await import('./commands/validate.ts')).validateCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  test: async () => (await import('./commands/test.ts')).testCommand,
  schema: async () => (await import('./commands/schema.ts')).schemaCommand,
  start: async () => (await import('./commands/service/serve.ts')).startCommand,
  worker: async () => (await import('./commands/service/serve.ts')).workerCommand,
  sandbox: async () => (await import('./commands/sandbox/sandbox.ts')).sandboxCommand,
  demo: async () => (await import('./commands/sandbox/demo.ts')).demoCommand,
};
const [requested = ''] = process.argv.slice(2);
// Help and a misspelt command need them all.
for (const name of Object.hasOwn(commands, requested) ? [requested] : Object.keys(commands)) {
  const command = await commands[name]?.();
  if (command) program.addCommand(command.copyInheritedSettings(program));
}

// A reader that closes the pipe (`feedferry preview … | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.success);
  throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? EXIT.success : EXIT.usage;
}
