import type { z } from 'zod';
import type { ConfigProblem } from './files/problems.ts';
import type { sourceFile } from './schema/source-schema.ts';
import type { syncFile } from './schema/sync-schema.ts';
import type { targetFile } from './schema/target-schema.ts';

/** A config folder, checked. The schemas describe each key; durations are in ms. */
export interface Config extends z.output<typeof targetFile> {
  /** Absolute path of the folder. */
  dir: string;
  syncs: SyncConfig[];
  /** Syncs whose files have mistakes; of a service, `syncs` may have an earlier version of one. */
  broken: BrokenSync[];
}

export interface BrokenSync {
  name: string;
  problems: readonly ConfigProblem[];
}

export type TargetConfig = Config['target'];
export type RetentionConfig = Config['retention'];
export type AlertsConfig = NonNullable<Config['alerts']>;
export type AlertKind = AlertsConfig['on'][number];
export type StaleAfter = AlertsConfig['staleAfter'];
export type WebhookConfig = NonNullable<AlertsConfig['webhook']>;
export type EmailConfig = NonNullable<AlertsConfig['email']>;

/** A sync file, checked. */
export interface SyncConfig extends z.output<ReturnType<typeof syncFile>> {
  /** Name of its file without the extension. */
  name: string;
  /** Absolute path of its file. */
  file: string;
  source: SourceConfig;
  /** In a TypeScript file, instead of `map`: a record's fields → attribute → value. */
  mapFunction?: (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Hex SHA-256 of a TypeScript file and its imports: changes when its functions do. */
  scriptHash?: string;
}

export type SourceConfig = z.output<ReturnType<typeof sourceFile>> & {
  /** The connector's own options, checked by its schema. */
  options: unknown;
};

export type KeyRule = SyncConfig['key'];
export type Condition = NonNullable<SyncConfig['when']>;
export type FieldRule = NonNullable<SyncConfig['map']>[string];
export type HtmlAllowList = Exclude<FieldRule['html'], string | undefined>;
export type TimeTypes = NonNullable<SyncConfig['timeTypes']>;
export type Window = NonNullable<SyncConfig['window']>;
export type Authority = NonNullable<SyncConfig['authority']>[string];
export type MissingRule = SyncConfig['missing'];
