import type { z } from 'zod';
import type { syncKeys } from './schema/sync-schema.ts';

type Keys = z.input<ReturnType<typeof syncKeys>>;
type Text = string | number | boolean | null | undefined;
type YesNo = boolean | string | number | null | undefined;
/** ISO 8601: a date, a time, or a date-time. */
type Iso = string | null | undefined;

/**
 * What the `map` of events may give (API: "Event"): its attributes, the shorthands start, end and allDay, and custom
 * attributes by their layout keys. What is undefined is left as it is in the CMS; null and '' clear.
 */
export interface EventAttributes {
  title: Text;
  isFeatured?: YesNo;
  description?: Text;
  start?: Iso;
  end?: Iso;
  allDay?: YesNo;
  date?: Iso;
  endDate?: Iso;
  time?: { start?: Iso; end?: Iso; type?: string };
  isMultiDay?: YesNo;
  spansMultipleDays?: YesNo;
  showOnAllDates?: YesNo;
  repeats?: YesNo;
  [customAttribute: string]: unknown;
}

/** What the `map` of accounts may give (API: "Account"), likewise. The password is sent in the create alone. */
export interface AccountAttributes {
  email?: Text;
  username?: Text;
  password?: string;
  firstName?: Text;
  middleName?: Text;
  lastName?: Text;
  displayName?: Text;
  company?: Text;
  title?: Text;
  department?: Text;
  website?: Text;
  phoneHome?: Text;
  phoneOffice?: Text;
  phoneMobile?: Text;
  phoneTollFree?: Text;
  phoneOther?: Text;
  pager?: Text;
  fax?: Text;
  gender?: Text;
  [customAttribute: string]: unknown;
}

/** The feed; the keys that are not named here are options of the connector. */
interface Source {
  connector: string;
  url: string;
  timezone?: string;
  [option: string]: unknown;
}

type Common = Omit<Keys, 'resource' | 'source' | 'map'> & { source: Source };
type MapWith<Fields, Attributes> = Keys['map'] | ((fields: Readonly<Fields>) => Attributes);

/** A sync as a TypeScript file writes it: the keys of a YAML file, and `map` may be a function of the record's fields. */
export type SyncDefinition<Fields = Record<string, unknown>> =
  | (Common & { resource: 'events'; map?: MapWith<Fields, EventAttributes> })
  | (Common & { resource: 'accounts'; map?: MapWith<Fields, AccountAttributes> });

/**
 * Declares a sync in a TypeScript file of config/syncs: `export default defineSync({ … })`. It is checked by the same
 * schema as a YAML file when the config is loaded.
 * @typeParam Fields what a record of the source holds, as the connector reads it.
 */
export function defineSync<Fields = Record<string, unknown>>(sync: SyncDefinition<Fields>): SyncDefinition<Fields> {
  return sync;
}
