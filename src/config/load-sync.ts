import { resolve } from 'node:path';
import { isObject } from '../core/record.ts';
import { checkFormerNames } from './check/former-names.ts';
import { checkTargetSecrets } from './check/target-secrets.ts';
import type { Issue, Validated } from './check/validate.ts';
import type { ConfigFile } from './files/config-file.ts';
import { syncName } from './files/sync-files.ts';
import { type LoadContext, loadOne } from './load-one.ts';
import { loadSources } from './load-sources.ts';
import type { SyncConfig } from './types.ts';

/** Checks the content of a sync file, with `source` or `sources`. */
export function loadSync(
  source: Pick<ConfigFile, 'value' | 'file' | 'scriptHash' | 'sourceOf'>,
  context: LoadContext,
): Validated<SyncConfig> {
  const { value, scriptHash } = source;
  const file = resolve(source.file);
  const origin = { scriptHash, name: syncName(file), file };
  if (!isObject(value)) return loadOne(value, origin, context);
  const { data, issues } = 'sources' in value ? loadSources(value, origin, context) : loadOne(value, origin, context);
  const found = [
    ...issues,
    ...checkMergesSources(value),
    ...checkFormerNames(value, file),
    ...checkTargetSecrets(source, context.secrets),
  ];
  return data && found.length === 0 ? { data, issues: [] } : { data: undefined, issues: found };
}

function checkMergesSources(value: Record<string, unknown>): Issue[] {
  const message = 'is only allowed with sources';
  return 'merge' in value && !('sources' in value) ? [{ path: ['merge'], part: 'key', message }] : [];
}
