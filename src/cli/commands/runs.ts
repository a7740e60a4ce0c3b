import { runDocument } from '../../documents/run.ts';
import { runsDocument } from '../../documents/runs.ts';
import type { LedgerQueries } from '../../queries/create-queries.ts';
import { type CommandContext, defineCommand, execute, readLimit } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { documentText } from '../output/as-text.ts';
import { print, printJson } from '../output/print.ts';
import { withQueries } from '../with-ledger.ts';

export const runsCommand = defineCommand('runs')
  .argument('[sync]', 'name of a sync, also of one that no longer has a file (default: all); or the id of one run')
  .option('--limit <n>', 'how many runs, or changes of a run, to list', '20')
  .option('--changed', 'list only runs that changed something in the CMS')
  .action(execute(runs));

/** Names of syncs may look so, too; then there is no such run. */
const RUN_ID = /^\d{8}-\d{6}-[0-9a-f]{6}$/;

async function runs(context: CommandContext, about: string | undefined, options: { limit: string; changed?: boolean }) {
  const { environment, json } = context;
  const { changed } = options;
  const limit = readLimit(options.limit, 'runs');
  return withQueries(environment, async (queries, { config, ledger }) => {
    const isRun = about !== undefined && RUN_ID.test(about) && (await ledger.runs.find(about)) !== undefined;
    const { view, document } = isRun
      ? await oneRun(about, limit, queries)
      : await listOf({ sync: about, limit, changed }, queries);
    if (json) printJson(view);
    else print(documentText(document, config.target.timezone));
    return EXIT.success;
  });
}

async function listOf(
  search: { sync: string | undefined; limit: number; changed: boolean | undefined },
  { runs: query }: LedgerQueries,
) {
  const view = await query(search);
  const empty = search.changed ? 'No run has changed anything in the CMS.' : 'Nothing has run yet.';
  return { view, document: runsDocument(search.sync, view, empty) };
}

async function oneRun(id: string, limit: number, { run, changes, failures }: LedgerQueries) {
  const [detail, changed, failed] = await Promise.all([run(id), changes(id, { limit }), failures(id, { limit })]);
  const document = runDocument({ detail, changes: changed, failures: failed });
  return { view: { ...detail, ...changed, ...failed }, document };
}
