import { rejectsDocument } from '../../documents/rejects.ts';
import { type CommandContext, defineCommand, execute, readLimit } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { documentText } from '../output/as-text.ts';
import { print, printJson, write } from '../output/print.ts';
import { withQueries } from '../with-ledger.ts';

export const rejectsCommand = defineCommand('rejects')
  .argument('<sync>', 'name of a sync file')
  .option('--run <run>', 'id of a run or plan (default: the last run that read records)')
  .option('--limit <n>', 'how many records to list for each reason', '20')
  .option('--csv', 'print CSV of all records for a spreadsheet, including the source fields')
  .option('--no-bom', 'leave out the byte order mark that Excel needs to recognise UTF-8')
  .action(execute(rejects));

interface RejectsOptions {
  run?: string;
  limit: string;
  csv?: boolean;
  bom: boolean;
}

async function rejects({ environment, json }: CommandContext, name: string, options: RejectsOptions) {
  const { run, csv, bom } = options;
  const limit = readLimit(options.limit, 'records');
  return withQueries(environment, async (queries, { config }) => {
    const view = await queries.rejects(name, { run, limit });
    if (csv)
      for await (const line of queries.rejectsCsv(name, run)) await write(bom ? line : line.replace('\uFEFF', ''));
    else if (json) printJson(view);
    else print(documentText(rejectsDocument(name, view), config.target.timezone));
    return EXIT.success;
  });
}
