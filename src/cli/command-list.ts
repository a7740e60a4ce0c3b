import { Command } from 'commander';

/**
 * The commands in the order of the help, with arguments and summaries. `feedferry --help` prints this list without loading the
 * commands.
 */
export const commandList = {
  init: { args: ['[source...]'], summary: 'read feeds (files, addresses, or -) and write a sync for each' },
  sync: { args: ['[sync...]'], summary: 'plan and apply the named syncs, or all' },
  plan: { args: ['<sync>'], summary: 'show what a sync would change, without changing anything in the CMS' },
  preview: {
    args: ['<sync>'],
    summary:
      'read and map a feed, and print its records as a run would judge them; uses neither the ledger nor the CMS',
  },
  status: {
    args: ['[sync...]'],
    summary: 'show the last and the next run of each sync, and what needs your attention',
  },
  runs: { args: ['[sync]'], summary: 'list the past runs, newest first, and what each has changed' },
  rejects: { args: ['<sync>'], summary: 'list the records that a run rejected, and why' },
  retry: { args: ['<sync>', '[key...]'], summary: 'try failed and held records again without reading the feed' },
  acknowledge: {
    args: ['<sync>', '[key...]'],
    summary: 'stop asking about rejects, missing files and differences until their reasons change',
  },
  questions: {
    args: ['<sync>'],
    summary: 'list events that two sources of a sync may both have, and answer whether they are the same',
  },
  approve: {
    args: ['[run]'],
    summary: 'apply the plan of a held run exactly as it was held; --list shows the held plans',
  },
  reject: { args: ['<run>'], summary: 'drop the plan of a held run; nothing changes in the CMS' },
  pause: { args: ['<sync...>'], summary: 'pause syncs, with a reason: no run of them begins until they are resumed' },
  resume: { args: ['<sync...>'], summary: 'resume paused syncs' },
  cancel: {
    args: ['<run>'],
    summary: 'cancel a run in progress: requests in flight end, the rest waits for the next run',
  },
  backfill: { args: ['<sync>'], summary: 'import a date range once; resumes if interrupted' },
  undo: { args: ['[run]'], summary: 'undo a run’s changes in the CMS, except those that were changed again since' },
  purge: { args: ['<sync>'], summary: 'delete every CMS item that a sync created' },
  release: { args: ['<sync>'], summary: 'forget the records of a sync and leave its CMS items' },
  verify: { args: ['[sync...]'], summary: 'prove that the CMS has what was delivered, or name each difference' },
  explain: {
    args: ['<sync>', '<words...>'],
    summary: 'show one record: source, payload, differences, deliveries and what happens next',
  },
  validate: { args: [], summary: 'check the config folder offline, and that local feeds have the fields it names' },
  doctor: { args: [], summary: 'check the config, ledger, Redis, feeds, CMS, clocks and time zones; read-only' },
  test: { args: ['[sync...]'], summary: 'run the mapping tests: tests/*.yaml in the config folder' },
  schema: { args: ['[kind]'], summary: 'print the JSON Schema of the config files, for editors' },
  start: { args: [], summary: 'run syncs on their schedules and deliver their changes, in one process' },
  console: { args: [], summary: 'serve the console on this machine, beside syncs that cron or another process runs' },
  worker: { args: [], summary: 'deliver what other processes plan, through Redis; run as many as you need' },
  sandbox: { args: [], summary: 'serve the CMS API on this machine, for rehearsals' },
  demo: { args: [], summary: 'run the example syncs against a sandbox: create, then update, then nothing to do' },
  help: { args: ['[topic]'], summary: 'show a page of the documentation; `feedferry help topics` lists them' },
} as const;

/** A command of the command line. */
export type CommandName = keyof typeof commandList;

/** Returns a command without its action, for the list of commands in the help. */
export function listedCommand(name: CommandName): Command {
  const { args, summary } = commandList[name];
  // All commands have options. One is enough for the help to print `[options]`.
  const command = new Command(name).description(summary).option('--json');
  for (const arg of args) command.argument(arg);
  return command;
}
