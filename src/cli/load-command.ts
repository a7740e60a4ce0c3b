import type { Command } from 'commander';
import type { CommandName } from './command-list.ts';

/** Loads a command and its imports. A process loads only the command that it runs. */
export const loadCommand: Record<CommandName, () => Promise<Command>> = {
  init: async () => (await import('./commands/init/init.ts')).initCommand,
  sync: async () => (await import('./commands/sync.ts')).syncCommand,
  plan: async () => (await import('./commands/plan.ts')).planCommand,
  preview: async () => (await import('./commands/preview.ts')).previewCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  runs: async () => (await import('./commands/runs.ts')).runsCommand,
  rejects: async () => (await import('./commands/rejects.ts')).rejectsCommand,
  retry: async () => (await import('./commands/retry.ts')).retryCommand,
  approve: async () => (await import('./commands/approve.ts')).approveCommand,
  pause: async () => (await import('./commands/control/pause.ts')).pauseCommand,
  resume: async () => (await import('./commands/control/pause.ts')).resumeCommand,
  cancel: async () => (await import('./commands/control/cancel.ts')).cancelCommand,
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
  console: async () => (await import('./commands/service/serve.ts')).consoleCommand,
  worker: async () => (await import('./commands/service/serve.ts')).workerCommand,
  sandbox: async () => (await import('./commands/sandbox/sandbox.ts')).sandboxCommand,
  demo: async () => (await import('./commands/sandbox/demo.ts')).demoCommand,
  help: async () => (await import('./commands/help.ts')).helpCommand,
};
