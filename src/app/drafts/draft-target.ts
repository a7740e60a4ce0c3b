import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTargetText } from '../../config/load.ts';
import type { TargetConfig } from '../../config/types.ts';
import type { Environment } from '../environment.ts';

/** Variables with which a feedferry.yaml is checked if the CMS is still unknown. */
const UNKNOWN_CMS = { CMS_BASE_URL: 'http://127.0.0.1:8080', CMS_API_TOKEN: 'unknown' };

/** The target of a config folder that init completes. */
export interface DraftTarget {
  target: TargetConfig;
  /** The file to write; absent if the folder has a feedferry.yaml. */
  file?: { path: string; text: string };
}

/** Returns the time zone of this machine. */
export function machineTimezone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * Reads the target of a config folder, whose variables need not be set yet.
 * @returns undefined if it has no feedferry.yaml
 * @throws ConfigError with all its mistakes
 */
export function readTarget({ configDir, variables }: Environment): DraftTarget | undefined {
  const path = join(configDir, 'feedferry.yaml');
  if (!existsSync(path)) return undefined;
  return { target: checkTargetText(path, readFileSync(path, 'utf8'), { ...UNKNOWN_CMS, ...variables }) };
}

/** Writes a feedferry.yaml as a text. */
export function draftTarget({ configDir }: Environment, timezone: string): DraftTarget {
  const path = join(configDir, 'feedferry.yaml');
  const text = `# The CMS. All keys: \`feedferry help configuration\`
target:
  # Without these variables: a \`feedferry sandbox\` on this machine. A file .env beside this folder can set them.
  baseUrl: \${CMS_BASE_URL:-${UNKNOWN_CMS.CMS_BASE_URL}}
  token: \${CMS_API_TOKEN:-${UNKNOWN_CMS.CMS_API_TOKEN}} # or name a file that holds it in CMS_API_TOKEN_FILE
  timezone: ${timezone} # the site's zone: dates and times in the CMS are wall time there
`;
  return { target: checkTargetText(path, text, UNKNOWN_CMS), file: { path, text } };
}
