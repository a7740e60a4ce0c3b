import { Command } from 'commander';

/**
 * The commands in the order and the groups of the help, with arguments and summaries. `feedferry --help` prints this list without loading the
 * commands.
 */
export const commandList = {
  init: {
    group: 'Every day',
    args: ['[source...]'],
    summary: 'read feeds (files, addresses, or -) and write a sync for each',
  },
  sync: { group: 'Every day', args: ['[sync...]'], summary: 'plan and apply the named syncs, or all' },
  plan: {
    group: 'Every day',
    args: ['<sync>'],
    summary: 'show what a sync would change, without changing anything in the CMS',
  },
  status: {
    group: 'Every day',
    args: ['[sync...]'],
    summary: 'show the last and the next run of each sync, and what needs your attention',
  },
  rejects: { group: 'Every day', args: ['<sync>'], summary: 'list the records that a run rejected, and why' },
  retry: {
    group: 'Every day',
    args: ['<sync>', '[key...]'],
    summary: 'try failed and held records again without reading the feed',
  },
  approve: {
    group: 'Every day',
    args: ['[run]'],
    summary: 'apply the plan of a held run exactly as it was held; --list shows the held plans',
  },
  explain: {
    group: 'Every day',
    args: ['<sync>', '<words...>'],
    summary: 'show one record: source, payload, differences, deliveries and what happens next',
  },
  start: {
    group: 'Every day',
    args: [],
    summary: 'run syncs on their schedules and deliver their changes, in one process',
  },
  reject: { group: 'Decisions', args: ['<run>'], summary: 'drop the plan of a held run; nothing changes in the CMS' },
  questions: {
    group: 'Decisions',
    args: ['<sync>'],
    summary: 'list what a sync asks: whether records are known ones, or events of several sources the same; and answer',
  },
  acknowledge: {
    group: 'Decisions',
    args: ['<sync>', '[key...]'],
    summary: 'stop asking about rejects, missing files and differences until their reasons change',
  },
  pause: {
    group: 'Decisions',
    args: ['<sync...>'],
    summary: 'pause syncs, with a reason: no run of them begins until they are resumed',
  },
  resume: { group: 'Decisions', args: ['<sync...>'], summary: 'resume paused syncs' },
  cancel: {
    group: 'Decisions',
    args: ['<run>'],
    summary: 'cancel a run in progress: requests in flight end, the rest waits for the next run',
  },
  runs: {
    group: 'Looking closer',
    args: ['[sync]'],
    summary: 'list the past runs, newest first, and what each has changed, or show one run',
  },
  verify: {
    group: 'Looking closer',
    args: ['[sync...]'],
    summary: 'prove that the CMS has what was delivered, or name each difference',
  },
  preview: {
    group: 'Looking closer',
    args: ['<sync>'],
    summary:
      'read and map a feed, and print its records as a run would judge them; uses neither the ledger nor the CMS',
  },
  alerts: {
    group: 'Looking closer',
    args: ['[action]', '[sync]'],
    summary: 'list who hears what of which sync, or send a test message to each recipient',
  },
  doctor: {
    group: 'Looking closer',
    args: [],
    summary: 'check the config, ledger, Redis, feeds, CMS, clocks and time zones; read-only',
  },
  backfill: { group: 'Once', args: ['<sync>'], summary: 'import a date range once; again, if it was interrupted' },
  undo: {
    group: 'Once',
    args: ['[run]'],
    summary: 'undo a run’s changes in the CMS, except those that were changed again since',
  },
  purge: { group: 'Once', args: ['<sync>'], summary: 'delete every CMS item that a sync created' },
  release: { group: 'Once', args: ['<sync>'], summary: 'forget the records of a sync and leave its CMS items' },
  validate: {
    group: 'Config',
    args: [],
    summary: 'check the config folder offline, and that local feeds have the fields it names',
  },
  test: { group: 'Config', args: ['[sync...]'], summary: 'run the mapping tests: tests/*.yaml in the config folder' },
  schema: { group: 'Config', args: ['[kind]'], summary: 'print the JSON Schema of the config files, for editors' },
  backup: {
    group: 'The ledger',
    args: ['<file>'],
    summary: 'copy the ledger to a file while feedferry runs, and check the copy; a folder gets a file a day',
  },
  restore: {
    group: 'The ledger',
    args: ['<file>'],
    summary: 'replace the ledger by a backup; the previous one is kept',
  },
  worker: {
    group: 'Other services',
    args: [],
    summary: 'deliver what other processes plan, through Redis; run as many as you need',
  },
  console: {
    group: 'Other services',
    args: [],
    summary: 'serve the console on this machine, beside syncs that cron or another process runs',
  },
  demo: {
    group: 'Trying it out',
    args: [],
    summary: 'run the example syncs against a sandbox: create, then update, then nothing to do',
  },
  sandbox: { group: 'Trying it out', args: [], summary: 'serve the CMS API on this machine, for rehearsals' },
  help: {
    group: 'Trying it out',
    args: ['[topic]'],
    summary: 'show a page of the documentation; `feedferry help topics` lists them',
  },
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
