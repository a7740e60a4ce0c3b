import type { Attachment, Json, Mapped } from '../../core/record.ts';
import { readSource } from '../../source/read-source.ts';
import { type CommandContext, defineCommand, EXIT, execute } from '../command.ts';
import { showInLine } from '../output/difference-lines.ts';
import { colour, plain, print, printJson } from '../output/print.ts';
import { selectSync } from '../with-app.ts';

export const previewCommand = defineCommand(
  'preview',
  'read and map a feed, and print its records; uses neither the ledger nor the CMS',
)
  .argument('<sync>', 'name of a sync file')
  .action(execute(preview));

async function preview({ environment, json, signal }: CommandContext, name: string): Promise<number> {
  const { config, sync } = selectSync(name, environment);
  const reading = readSource(sync, config.target, { signal });
  let rejected = 0;
  for await (const mapped of reading.records) {
    if (mapped.is === 'rejected') rejected += 1;
    if (json) printJson(toResult(mapped));
    else print(describe(mapped));
  }
  for (const { at, message } of reading.warnings) print(`${at}: ${message}`, process.stderr);
  const { complete, reason } = reading.receipt();
  if (!complete) print(`The feed is incomplete${reason ? `: ${reason}` : '.'}`, process.stderr);
  return rejected > 0 || !complete ? EXIT.partial : EXIT.success;
}

function toResult(mapped: Mapped): object {
  if (mapped.is === 'rejected') {
    const { at, code, reason, key } = mapped.rejection;
    return { at, code, reason, key };
  }
  if (mapped.is === 'skipped') return { at: mapped.at, key: mapped.key, skipped: mapped.reason };
  const { at, key, resource, payload, attachments } = mapped.record;
  return { at, key, resource, payload, attachments: attachments.map(summary) };
}

function summary({ attribute, source }: Attachment): { [name: string]: Json } {
  if (source.is === 'location') return { attribute, location: source.location };
  const bytes = Buffer.byteLength(source.base64, 'base64');
  return { attribute, inline: { bytes, ...(source.mediaType ? { mediaType: source.mediaType } : {}) } };
}

function describe(mapped: Mapped): string {
  if (mapped.is === 'rejected') {
    const { at, code, reason } = mapped.rejection;
    return `${plain(at)}: ${colour('red', 'rejected')} ${code} ${plain(reason)}`;
  }
  if (mapped.is === 'skipped') {
    return `${plain(mapped.at)}: ${colour('yellow', 'skipped')} ${plain(mapped.key)}: ${plain(mapped.reason)}`;
  }
  const { at, key, payload, attachments } = mapped.record;
  const files = attachments.map((file): [string, Json] => [file.attribute, summary(file)]);
  const attributes = [...Object.entries(payload), ...files].map(([name, value]) => `  ${name}: ${showInLine(value)}`);
  const warnings = mapped.warnings.map(({ message }) => `  ${colour('yellow', 'warning')}: ${plain(message)}`);
  return [`${plain(at)}: ${colour('bold', plain(key))}`, ...attributes, ...warnings].join('\n');
}
