import type { App } from '../../app/app.ts';
import { CodedError } from '../../core/errors.ts';
import { nameWithKey } from '../../core/text/record-title.ts';
import type { Document } from '../../documents/document.ts';
import { recordDocument, unknownDocument } from '../../documents/record.ts';
import { createLedgerQueries } from '../../queries/create-queries.ts';
import { sourceOf } from '../../queries/records/record.ts';
import { explainRecord, type RecordMatches, type Story } from '../../sync/explain/explain-record.ts';
import { actHere } from '../act.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { documentText } from '../output/as-text.ts';
import { showInLine } from '../output/difference-lines.ts';
import { print, printJson, printList } from '../output/print.ts';
import { withSync } from '../with-app.ts';

export const explainCommand = defineCommand('explain')
  .argument('<sync>', 'name of a sync file')
  .argument(
    '<words...>',
    'key of the record, or part of its key, title or e-mail address, or its CMS id or CMS address',
  )
  .option('--adopt <id>', 'link the record to this existing CMS item, and deliver what differs')
  .action(execute(explain));

async function explain(context: CommandContext, name: string, words: string[], options: { adopt?: string }) {
  const { json, signal } = context;
  const { adopt } = options;
  const key = words.join(' ');
  const cmsId = adopt === undefined ? undefined : toCmsId(adopt);
  return withSync(name, context, async (app, sync) => {
    if (cmsId !== undefined) {
      return (await actHere('adopt', { sync: name, key, cmsId }, app, context)).exitCode;
    }
    const found = await explainRecord(key, app.contextOf(sync, { signal }));
    if ('matches' in found) {
      if (json) printJson(found);
      else printMatches(found);
      return EXIT.usage;
    }
    const { document, view } = await storyOf(found, app);
    if (json) printJson(view);
    else print(documentText(document, app.config.target.timezone));
    return EXIT.success;
  });
}

/** The answers of the API about a record, and what they say to people. */
async function storyOf(story: Story, app: App): Promise<{ view: object; document: Document }> {
  const { sync, key } = story;
  const queries = createLedgerQueries(() => app);
  const source = sourceOf(story, app.config.target);
  const title = `${nameWithKey(story)} of ${sync}`;
  if (story.record === null) {
    const unknown = await queries.recordRejection(sync, key);
    return {
      view: { sync, key, record: null, unknown, source },
      document: { ...unknownDocument(unknown, source), title },
    };
  }
  const record = await queries.record(sync, key);
  return { view: { sync, key, record, source }, document: { ...recordDocument(record, { feed: source }), title } };
}

function printMatches({ sync, words, matches }: RecordMatches): void {
  printList(`${sync}: several records fit "${words}"`, matches.length, matches, ({ key, name, cmsId }) => {
    return `${key}: ${showInLine(name)}${cmsId === null ? ', not in the CMS' : ` (item ${cmsId})`}`;
  });
}

function toCmsId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new CodedError('FF_USAGE', `--adopt needs the id of a CMS item, not "${text}".`);
}
