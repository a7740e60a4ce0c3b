import type { z } from 'zod';
import { connectors } from '../../../connectors/index.ts';
import { isSyncKey } from '../../config/schema/sync-schema.ts';
import { CodedError } from '../../core/errors.ts';
import { isObject } from '../../core/record.ts';
import type { Correction } from '../../inference/correct/correct.ts';
import { hideSecrets } from '../../source/sample/hide-secrets.ts';
import type { OpenSample } from '../../source/sample/sample-feed.ts';

/** Keys of `source` that only say how the bytes of a feed are read. Others could reach other servers, files or secrets, or more memory. */
const sourceKeys = new Set([
  ...['connector', 'timezone', 'ignoreSigns', 'deleted', 'partial'],
  ...connectors
    .flatMap(({ options }) => Object.keys((options as z.ZodObject).shape))
    .filter((key) => !/^(pages|max)/.test(key)),
]);
/** Keys of a sync file that can be set in a browser. Others, such as `verify` and `adopt`, are no names of attributes either. */
const typedKeys = new Set(['resource', 'source', 'key', 'when', 'schedule', 'missing', 'attachments']);
const MOST_CHARACTERS = 2000;

/**
 * Checks a correction that was typed in a browser: it must not reach files of the server, other servers or variables. Values are
 * literal texts anyway, because `\${` is escaped in the sync file.
 * @param opened the feed; if it repeats its key, the records must not be cut in another way, which could take the key apart
 * @throws CodedError FF_USAGE
 */
export function checkTyped(correction: Correction, { beginning, access }: OpenSample): void {
  if (JSON.stringify(correction).length > MOST_CHARACTERS) throw refused('This text is too long.');
  if ('question' in correction) return;
  const { line, value } = correction;
  const [first, sourceKey] = line.split('.');
  if (!mayBeTyped(line))
    throw refused(`${first === 'source' ? `source.${sourceKey}` : line} cannot be set in a browser.`);
  if (first === 'source' && hideSecrets(beginning.text, access.secrets) !== beginning.text) {
    throw refused('The feed repeats its key, so how it is read cannot be changed in a browser.');
  }
  if (reads(value, 'lookup')) throw refused('A lookup in a file cannot be set in a browser.');
}

/** Whether a line of a sync file may be set in a browser at all. */
export function mayBeTyped(line: string): boolean {
  const [first = '', sourceKey] = line.split('.');
  if (first === 'source' && sourceKey !== undefined) return sourceKeys.has(sourceKey);
  return first !== 'deleted' && (typedKeys.has(first) || !isSyncKey(first));
}

/** Returns whether a value has a key whose value is a text: a lookup in a file is its path. */
function reads(value: unknown, key: string): boolean {
  if (Array.isArray(value)) return value.some((item) => reads(item, key));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, inner]) => (name === key ? typeof inner === 'string' : reads(inner, key)));
}

function refused(message: string): CodedError {
  return new CodedError('FF_USAGE', message, { remedy: 'Copy the sync file, and add it there.' });
}
