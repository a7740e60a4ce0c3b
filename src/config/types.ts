import type { z } from 'zod';
import type { ConfigProblem } from './files/problems.ts';
import type { sourceFile } from './schema/source-schema.ts';
import type { syncFile } from './schema/sync-schema.ts';
import type { targetFile } from './schema/target-schema.ts';

/** A checked config folder. The schemas describe each key; durations are in ms. */
export interface Config extends z.output<typeof targetFile> {
  /** Absolute path of the folder. */
  dir: string;
  syncs: SyncConfig[];
  /** Syncs whose files have mistakes. In a service, `syncs` may contain an earlier version of such a sync. */
  broken: BrokenSync[];
}

export interface BrokenSync {
  name: string;
  problems: readonly ConfigProblem[];
}

export type TargetConfig = Config['target'];
export type RetentionConfig = Config['retention'];
export type AlertsConfig = NonNullable<Config['alerts']>;
export type OwnerConfig = NonNullable<SyncConfig['owner']>[number];
export type AlertKind = AlertsConfig['on'][number];
export type StaleAfter = AlertsConfig['staleAfter'];
export type WebhookConfig = NonNullable<AlertsConfig['webhook']>;
export type EmailConfig = NonNullable<AlertsConfig['email']>;

/** A checked sync file. */
export interface SyncConfig extends z.output<ReturnType<typeof syncFile>> {
  /** Name of the sync file without the extension. */
  name: string;
  /** Absolute path of the sync file. */
  file: string;
  /** If the sync has several sources, the first of them. */
  source: SourceConfig;
  /** The sources of a sync that has several, best first. */
  sources?: readonly NamedSource[];
  key: z.output<ReturnType<typeof syncFile>>['key'] & {
    /** Stands before each key: `NAME/` for a source of several. */
    prefix?: string;
  };
  /** Function of a TypeScript file in place of `map`: takes a record's fields and returns attribute → value. */
  mapFunction?: (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Hex SHA-256 of a TypeScript file and its imports, so that it changes when a function changes. */
  scriptHash?: string;
}

/** One of the sources of a sync that has several (config: `sources`). */
export interface NamedSource {
  name: string;
  /** Former syncs whose records this source takes over: KEY becomes NAME/KEY. */
  renamedFrom?: string[];
  /** The sync as if this source were its only one: with its source, key, map, when, attachments and so on. Its keys begin with `NAME/`. */
  sync: SyncConfig;
}

export type SourceConfig = z.output<ReturnType<typeof sourceFile>> & {
  /** Options of the connector, checked by the connector's schema. */
  options: unknown;
};

export type KeyRule = SyncConfig['key'];
export type Condition = NonNullable<SyncConfig['when']>;
export type FieldRule = NonNullable<SyncConfig['map']>[string];
export type { SyncRule, SyncRules } from './schema/rules-schema.ts';
export type FileRule = SyncConfig['attachments'][string];
export type HtmlAllowList = Exclude<FieldRule['html'], string | undefined>;
export type TimeTypes = NonNullable<SyncConfig['timeTypes']>;
export type Window = NonNullable<SyncConfig['window']>;
export type Authority = NonNullable<SyncConfig['authority']>[string];
export type MergeRule = NonNullable<SyncConfig['merge']>;
export type MissingRule = SyncConfig['missing'];
