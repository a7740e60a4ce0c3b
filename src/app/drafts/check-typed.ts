import type { z } from 'zod';
import { connectors } from '../../../connectors/index.ts';
import { isSyncKey } from '../../config/schema/sync-schema.ts';
import { CodedError } from '../../core/errors.ts';
import type { Correction } from '../../inference/correct/correct.ts';
import { hideSecrets } from '../../source/sample/hide-secrets.ts';
import type { OpenSample } from '../../source/sample/sample-feed.ts';

/** The formats of feeds that can be chosen. */
export const feedFormats = connectors.map(({ kind }) => kind);

/** Keys of `source` that only say how the bytes of a feed are read. Others could reach other servers, files or secrets, or more memory. */
const sourceKeys = new Set([
  ...['connector', 'timezone', 'ignoreSigns', 'deleted', 'partial'],
  ...connectors
    .flatMap(({ options }) => Object.keys((options as z.ZodObject).shape))
    .filter((key) => !/^(pages|max)/.test(key)),
]);
/** Keys of a sync file that can be set in a browser. Others, such as `verify` and `adopt`, are no names of attributes either. */
const typedKeys = new Set([
  'resource',
  'source',
  'key',
  'when',
  'authority',
  'recurrence',
  'schedule',
  'missing',
  'attachments',
]);

/**
 * Checks a correction that comes from a browser: it must not reach files of the server, other servers or variables.
 * @param opened the feed; if it repeats its key, the records must not be cut in another way, which could take the key apart
 * @throws CodedError FF_USAGE
 */
export function checkTyped(correction: Correction, { beginning, access }: OpenSample): void {
  if ('question' in correction) return;
  const { line } = correction;
  const isSource = line.startsWith('source.');
  if (!mayBeTyped(line))
    throw refused(`${isSource ? line.split('.').slice(0, 2).join('.') : line} cannot be set in a browser.`);
  if (isSource && hideSecrets(beginning.text, access.secrets) !== beginning.text) {
    throw refused('The feed repeats its key, so how it is read cannot be changed in a browser.');
  }
}

/** Whether a line of a sync file may be set in a browser at all. */
export function mayBeTyped(line: string): boolean {
  const [first = '', sourceKey] = line.split('.');
  if (first === 'source' && sourceKey !== undefined) return sourceKeys.has(sourceKey);
  return first !== 'deleted' && (typedKeys.has(first) || !isSyncKey(first));
}

function refused(message: string): CodedError {
  return new CodedError('FF_USAGE', message, { remedy: 'Change it in the sync file.' });
}
