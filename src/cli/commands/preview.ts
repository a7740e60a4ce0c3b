import type { Command } from 'commander';
import type { Attachment, Mapped } from '../../core/record.ts';
import { readSource } from '../../source/read-source.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit.ts';
import { colour, print, printJson } from '../output/print.ts';
import { selectSync } from '../with-app.ts';

export function previewCommand(): Command {
  return defineCommand('preview', 'read and map a feed, and print its records; uses neither the ledger nor the CMS')
    .argument('<sync>', 'name of a sync file')
    .action(execute(preview));
}

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
    return { at, code, reason, ...(key ? { key } : {}) };
  }
  if (mapped.is === 'skipped') return { at: mapped.at, key: mapped.key, skipped: mapped.reason };
  const { at, key, resource, payload, attachments } = mapped.record;
  return { at, key, resource, payload, attachments: attachments.map(summary) };
}

function summary({ attribute, source }: Attachment): object {
  if (source.is === 'location') return { attribute, location: source.location };
  const bytes = Buffer.byteLength(source.base64, 'base64');
  return { attribute, inline: { bytes, ...(source.mediaType ? { mediaType: source.mediaType } : {}) } };
}

function describe(mapped: Mapped): string {
  if (mapped.is === 'rejected') {
    return `${mapped.rejection.at}: ${colour('red', 'rejected')} ${mapped.rejection.code} ${mapped.rejection.reason}`;
  }
  if (mapped.is === 'skipped') return `${mapped.at}: ${colour('yellow', 'skipped')} ${mapped.key}: ${mapped.reason}`;
  const { at, key, payload, attachments } = mapped.record;
  const lines = [...Object.entries(payload), ...attachments.map((file) => [file.attribute, summary(file)] as const)];
  const attributes = lines.map(([name, value]) => `  ${name}: ${shorten(JSON.stringify(value))}`);
  const warnings = mapped.warnings.map(({ message }) => `  ${colour('yellow', 'warning')}: ${message}`);
  return [`${at}: ${colour('bold', key)}`, ...attributes, ...warnings].join('\n');
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}
