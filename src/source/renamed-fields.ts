import { basename } from 'node:path';
import type { FieldRule, SyncConfig } from '../config/types.ts';
import { MissingFieldsError } from '../core/connector.ts';
import { newNames } from '../core/suggest.ts';
import { mappedFields } from '../mapping/field-usage.ts';

/** A name that YAML can spell without quotes. */
const PLAIN = /^[\p{L}_][\p{L}\p{N}_-]*( [\p{L}\p{N}_-]+)*$/u;
/** Words that YAML does not read as text. */
const NOT_TEXT = /^(true|false|yes|no|on|off|null|y|n)$/i;

/** Returns an error about missing fields with the lines that name the fields as the feed now does, if these can be guessed. */
export function withRenamedLines(error: unknown, sync: SyncConfig): unknown {
  if (!(error instanceof MissingFieldsError)) return error;
  const { message, missing, names } = error;
  const lines = renamedLines(sync, missing, names);
  if (lines === undefined) return error;
  const how = `If they were renamed, write in ${basename(sync.file)}, in place of the lines with the former names:`;
  return new MissingFieldsError(`${message} ${how}\n${lines.replaceAll(/^/gm, '    ')}`, { missing, names });
}

/**
 * Returns the lines of a sync file that name fields by their new names, if these can be guessed.
 * @param missing fields that the sync names and the feed does not have
 * @param names the fields of the feed
 */
export function renamedLines(
  sync: SyncConfig,
  missing: readonly string[],
  names: readonly string[],
): string | undefined {
  const used = mappedFields(sync);
  // A name with these characters would be a path.
  const unused = names.filter((name) => !used.has(name) && name !== '' && !/[.[\]"]/.test(name));
  const renamed = newNames(missing, unused);
  const lines = [
    ...keyLines(sync, renamed),
    ...section(
      'map',
      Object.entries(sync.map ?? {}).flatMap(([attribute, rule]) => ruleLine(attribute, rule, renamed)),
    ),
    ...section(
      'attachments',
      Object.entries(sync.attachments).flatMap(([attribute, { field }]) => fieldLine(attribute, field, renamed)),
    ),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}

type Renamed = ReadonlyMap<string, string>;

function keyLines({ key: { fields, normalize } }: SyncConfig, renamed: Renamed): string[] {
  if (!fields.some((field) => renamed.has(field))) return [];
  const [first = '', ...others] = fields.map((field) => plain(renamed.get(field) ?? field));
  const field = others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
  return [normalize.length === 0 ? `key: ${field}` : `key: { field: ${field}, normalize: [${normalize.join(', ')}] }`];
}

function ruleLine(attribute: string, rule: FieldRule, renamed: Renamed): string[] {
  const now = rule.field === undefined ? undefined : renamed.get(rule.field);
  if (now === undefined) return [];
  const others = Object.entries(rule).filter(([name, value]) => name !== 'field' && value !== undefined);
  if (others.length === 0) return [`${attribute}: ${plain(now)}`];
  const rest = others.every(([, value]) => typeof value !== 'object')
    ? others.map(([name, value]) => `${name}: ${plain(value)}`)
    : ['…'];
  return [`${attribute}: { ${[`field: ${plain(now)}`, ...rest].join(', ')} }`];
}

function fieldLine(attribute: string, field = '', renamed: Renamed): string[] {
  const now = renamed.get(field);
  return now === undefined ? [] : [`${attribute}: ${plain(now)}`];
}

function section(name: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`${name}:`, ...lines.map((line) => `  ${line}`)];
}

function plain(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) && !NOT_TEXT.test(value) ? value : JSON.stringify(value);
}
