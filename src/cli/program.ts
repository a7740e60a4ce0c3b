import { Command, CommanderError } from 'commander';
import { version } from '../app/version.ts';
import { approveCommand } from './approve.ts';
import { backfillCommand } from './backfill.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { EXIT } from './exit.ts';
import { explainCommand } from './explain.ts';
import { planCommand } from './plan.ts';
import { previewCommand } from './preview.ts';
import { purgeCommand } from './purge.ts';
import { rejectsCommand } from './rejects.ts';
import { retryCommand } from './retry.ts';
import { sandboxCommand } from './sandbox.ts';
import { schemaCommand } from './schema.ts';
import { startCommand } from './start.ts';
import { statusCommand } from './status.ts';
import { syncCommand } from './sync.ts';
import { testCommand } from './test.ts';
import { undoCommand } from './undo.ts';
import { validateCommand } from './validate.ts';
import { workerCommand } from './worker.ts';

const program = new Command('feedferry')
  .description('Carries calendar events and accounts from feeds into a website’s CMS.')
  .version(version())
  .exitOverride()
  .showSuggestionAfterError();

const commands = [
  syncCommand,
  planCommand,
  previewCommand,
  statusCommand,
  rejectsCommand,
  retryCommand,
  approveCommand,
  backfillCommand,
  undoCommand,
  purgeCommand,
  explainCommand,
  validateCommand,
  doctorCommand,
  testCommand,
  schemaCommand,
  startCommand,
  workerCommand,
  sandboxCommand,
  demoCommand,
];
for (const command of commands) program.addCommand(command().copyInheritedSettings(program));

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
