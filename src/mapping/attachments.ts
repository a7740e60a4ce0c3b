import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FieldRule, FileRule, SyncConfig } from '../config/types.ts';
import { clean } from '../core/clean.ts';
import type { AnyConnector } from '../core/connector.ts';
import { CodedError } from '../core/errors.ts';
import type { Attachment, AttachmentSource } from '../core/record.ts';
import { hasNoValue, type Warn } from './coerce.ts';
import { compilePath, type Fields } from './path.ts';
import type { CompiledRule } from './rule.ts';
import { showValue } from './text.ts';

type AttachmentRules = Pick<SyncConfig, 'attachments' | 'attachmentsDir' | 'source'>;

interface AttachmentContext {
  captions?: AnyConnector['captions'];
  /** Compiles the rule of an alternative text. */
  compileText: (rule: FieldRule, attribute: string) => CompiledRule;
}

/**
 * Compiles the attachments of a sync: attribute layout key → field with a URL, a path, or { base64, mediaType }. Locations are
 * relative to attachmentsDir, or else to the folder or address of the feed. The compiled reader throws CodedError
 * FF_RECORD_VALUE for any other value, and for a file on this machine that a feed from the network names.
 */
export function compileAttachments(
  { attachments, attachmentsDir, source: { url: feedUrl } }: AttachmentRules,
  { captions = {}, compileText }: AttachmentContext,
) {
  const locate = locator(feedUrl, attachmentsDir);
  const readers = Object.entries(attachments).map(([attribute, { field = '', default: own, alt }]) => ({
    attribute,
    readFile: field === '' ? () => undefined : fileReader(attribute, field, locate),
    readDefault: own ? defaultReader(own) : () => undefined,
    readAlt: alt || captions[field] ? compileText(alt ?? { field: captions[field] }, `${attribute}.alt`) : undefined,
  }));

  return (fields: Fields, warn: Warn): Attachment[] =>
    readers.flatMap(({ attribute, readFile, readDefault, readAlt }): Attachment[] => {
      const file = readFile(fields, warn);
      const source = file ?? readDefault(fields);
      if (!source) return [];
      const alt = String(readAlt?.(fields, warn) ?? '').trim();
      return [{ attribute, source, ...(alt !== '' && { alt }), ...(!file && { isDefault: true }) }];
    });
}

function fileReader(attribute: string, field: string, locate: ReturnType<typeof locator>) {
  const read = compilePath(field);
  return (fields: Fields, warn: Warn): AttachmentSource | undefined => {
    const given = read(fields);
    const value: unknown = Array.isArray(given) ? given[0] : given;
    if (Array.isArray(given) && given.length > 1) {
      warn(`${attribute}: has ${given.length} files; only the first is used`);
    }
    if (hasNoValue(value)) return undefined;
    const source = typeof value === 'string' ? locate(fileOfPage(clean(value.trim()))) : inline(value);
    if (source) return source;
    throw new CodedError(
      'FF_RECORD_VALUE',
      `${attribute}: ${showValue(value)} is not a file, URL or inline data (field "${field}")`,
    );
  };
}

/** Google links to pages of its Drive that show a file: calendars attach these, and people copy them. */
function fileOfPage(location: string): string {
  const page = /^https:\/\/drive\.google\.com\/(?:file\/d\/([\w-]+)|open\?(?:[^#]*&)?id=([\w-]+))/.exec(location);
  return page ? `https://drive.google.com/uc?export=download&id=${page[1] ?? page[2]}` : location;
}

/** Reads which picture of the site itself a record gets. */
function defaultReader({ field, lookup, default: other }: NonNullable<FileRule['default']>) {
  const read = field === undefined ? () => undefined : compilePath(field);
  return (fields: Fields): AttachmentSource | undefined => {
    const values = [read(fields)].flat().map((value) => String(value ?? '').trim());
    const value = values.find((one) => Object.hasOwn(lookup, one));
    const location = value === undefined ? other : lookup[value];
    return location === undefined ? undefined : { is: 'location', location };
  };
}

function locator(feedUrl: string, attachmentsDir?: string): (location: string) => AttachmentSource | undefined {
  const base = feedUrl.replace(/^webcal:/i, 'https:');
  if (/^https?:/i.test(base)) return (location) => dataUrl(location) ?? remote(location, base);
  const folder = attachmentsDir ?? dirname(/^file:/i.test(base) ? fileURLToPath(base) : base);
  return (location) => dataUrl(location) ?? local(location, folder);
}

function dataUrl(location: string): AttachmentSource | undefined {
  const [, mediaType, base64] = /^data:([\w.+-]+\/[\w.+-]+)?;base64,([\s\S]+)$/i.exec(location) ?? [];
  return base64 === undefined ? undefined : { is: 'inline', base64, ...(mediaType && { mediaType }) };
}

function remote(location: string, base: string): AttachmentSource | undefined {
  const url = URL.parse(location, base);
  return url && /^https?:$/.test(url.protocol) ? { is: 'location', location: url.href } : undefined;
}

function local(location: string, folder: string): AttachmentSource | undefined {
  if (/^https?:/i.test(location)) return remote(location, location);
  if (/^file:/i.test(location)) return fileUrl(location);
  return /^[a-z][a-z0-9+.-]+:/i.test(location) ? undefined : { is: 'location', location: resolve(folder, location) };
}

/** Parses a file URL. Refuses another host, and an encoded slash. */
function fileUrl(location: string): AttachmentSource | undefined {
  try {
    return { is: 'location', location: fileURLToPath(location) };
  } catch {
    return undefined;
  }
}

function inline(value: unknown): AttachmentSource | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { base64, mediaType, fileName } = value as Record<string, unknown>;
  if (typeof base64 !== 'string' || base64 === '') return undefined;
  return {
    is: 'inline',
    base64,
    ...(typeof mediaType === 'string' && { mediaType: clean(mediaType) }),
    ...(typeof fileName === 'string' && { fileName: clean(fileName) }),
  };
}
