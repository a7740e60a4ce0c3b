import { Command, CommanderError } from 'commander';
import { version } from '../app/version.ts';
import { EXIT } from './exit.ts';

const program = new Command('feedferry')
  .description('Carries calendar events and accounts from feeds into a website’s CMS.')
  .version(version())
  .exitOverride()
  .showSuggestionAfterError();

/** In the order of the help. Each is loaded only where it is asked for: a command starts faster without the others. */
const commands: Record<string, () => Promise<() => Command>> = {
  sync: async () => (await import('./commands/sync.ts')).syncCommand,
  plan: async () => (await import('./commands/plan.ts')).planCommand,
  preview: async () => (await import('./commands/preview.ts')).previewCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  rejects: async () => (await import('./commands/rejects.ts')).rejectsCommand,
  retry: async () => (await import('./commands/retry.ts')).retryCommand,
  approve: async () => (await import('./commands/approve.ts')).approveCommand,
  backfill: async () => (await import('./commands/backfill.ts')).backfillCommand,
  undo: async () => (await import('./commands/undo.ts')).undoCommand,
  purge: async () => (await import('./commands/purge.ts')).purgeCommand,
  explain: async () => (await import('./commands/explain.ts')).explainCommand,
  validate: async () => (await import('./commands/validate.ts')).validateCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  test: async () => (await import('./commands/test.ts')).testCommand,
  schema: async () => (await import('./commands/schema.ts')).schemaCommand,
  start: async () => (await import('./commands/service/start.ts')).startCommand,
  worker: async () => (await import('./commands/service/worker.ts')).workerCommand,
  sandbox: async () => (await import('./commands/sandbox/sandbox.ts')).sandboxCommand,
  demo: async () => (await import('./commands/sandbox/demo.ts')).demoCommand,
};
const [asked = ''] = process.argv.slice(2);
// Help and what is misspelt need them all.
for (const name of Object.hasOwn(commands, asked) ? [asked] : Object.keys(commands)) {
  const command = await commands[name]?.();
  if (command) program.addCommand(command().copyInheritedSettings(program));
}

// A reader that has seen enough (`feedferry preview … | head`) is no error.
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
