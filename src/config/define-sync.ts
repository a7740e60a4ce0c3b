import type { z } from 'zod';
import type { AttributeKind, KindOf, StandardAttributes } from '../core/attributes.ts';
import type { Resource } from '../core/record.ts';
import type { syncKeys } from './schema/sync-schema.ts';

type Keys = z.input<ReturnType<typeof syncKeys>>;
type Text = string | number | boolean | null | undefined;
/** ISO 8601: a date, a time, or a date-time. */
type Iso = string | null | undefined;

/** Values that a `map` may return for each kind of attribute: undefined keeps the value in the CMS, null and '' clear it. */
interface Values {
  string: Text;
  html: Text;
  boolean: boolean | string | number | null | undefined;
  date: Iso;
  time: Iso;
  moment: Iso;
  json: unknown;
}

type ValueOf<Kind extends AttributeKind> = Values[Kind];

type Attributes<R extends Resource> = {
  -readonly [Name in keyof StandardAttributes<R>]?: ValueOf<KindOf<R, Name>>;
};

/** Attributes that the `map` of events may return (API: "Event"): standard, shorthands (start, end, allDay) and custom. */
export interface EventAttributes extends Omit<Attributes<'events'>, `time.${string}`> {
  title: Text;
  time?: { start?: Iso; end?: Iso; type?: string };
  [customAttribute: string]: unknown;
}

/** Attributes that the `map` of accounts may return (API: "Account"). The password is sent only to create the account. */
export interface AccountAttributes extends Attributes<'accounts'> {
  password?: string;
  [customAttribute: string]: unknown;
}

/** The feed; all other keys are options of the connector. */
interface Source {
  connector: string;
  url: string;
  timezone?: string;
  [option: string]: unknown;
}

type MapWith<Fields, Attributes> = Keys['map'] | ((fields: Readonly<Fields>) => Attributes);

/** One of several feeds, with the keys that it does not share with the others. */
type OneOfSources<Fields> = Source &
  Partial<Pick<Keys, 'key' | 'when' | 'attachments' | 'attachmentsDir' | 'window' | 'renamedFrom'>> & {
    map?: MapWith<Fields, EventAttributes>;
  };

type Common = Omit<Keys, 'resource' | 'source' | 'sources' | 'merge' | 'map' | 'key'> & { key?: Keys['key'] };
type OneSource = { source: Source; sources?: undefined; merge?: undefined };
/** Several feeds by their names, best first. */
type SeveralSources<Fields> = {
  source?: undefined;
  sources: Readonly<Record<string, OneOfSources<Fields>>>;
  merge?: Keys['merge'];
};

/** A sync in a TypeScript file: the keys of a YAML file, but `map` may also be a function of the record's fields. */
export type SyncDefinition<Fields = Record<string, unknown>> =
  | (Common & (OneSource | SeveralSources<Fields>) & { resource: 'events'; map?: MapWith<Fields, EventAttributes> })
  | (Common & OneSource & { resource: 'accounts'; map?: MapWith<Fields, AccountAttributes> });

/**
 * Declares a sync in a TypeScript file of config/syncs: `export default defineSync({ … })`. Loading the config checks
 * it with the same schema as a YAML file.
 * @typeParam Fields the fields of a source record, as the connector reads them
 */
export function defineSync<Fields = Record<string, unknown>>(sync: SyncDefinition<Fields>): SyncDefinition<Fields> {
  return sync;
}
