import type { CmsAttribute, CmsKind, KindOf } from '../core/attributes.ts';
import type { Resource } from '../core/record.ts';

/** No custom attributes. */
export type NoCustom = Record<never, never>;

/** The value of a file or image attribute: the `src` of an upload. */
export interface FileReference {
  src: string;
}

interface EventTimes {
  /** HH:MM:SS, wall time of the site. */
  start?: string | null;
  /** HH:MM:SS, wall time of the site. */
  end?: string | null;
  /** "timed" is the only value that the API names. */
  type?: 'timed' | (string & NoCustom) | null;
}

/** The times of an event (API: "Event"): at least one of them. */
export type EventTimeInput = {
  [Name in keyof EventTimes]-?: EventTimes & Required<Pick<EventTimes, Name>>;
}[keyof EventTimes];

/** What the attributes of each kind take; null clears one. */
interface InputValues {
  string: string | null;
  html: string | null;
  boolean: boolean | null;
  /** YYYY-MM-DD. */
  date: string | null;
  /** HH:MM:SS. */
  time: string | null;
  json: unknown;
}

type InputValue<Kind extends CmsKind> = InputValues[Kind];

type StandardInput<R extends Resource> = { [Name in CmsAttribute<R>]?: InputValue<KindOf<R, Name> & CmsKind> };

interface RequiredOfEvent {
  title: string;
  /** YYYY-MM-DD. */
  date: string;
  /** YYYY-MM-DD. */
  endDate: string;
  time: EventTimeInput;
}

type StandardEvent = RequiredOfEvent & Omit<StandardInput<'events'>, keyof RequiredOfEvent>;

/** Attributes that an event is created with, and the custom ones of the site. */
export type EventInput<Custom = NoCustom> = StandardEvent & Custom;

type StandardAccount = StandardInput<'accounts'> & {
  /** Only for a create; never returned. */
  password?: string;
};

/** Attributes that an account is created with, and the custom ones of the site. */
export type AccountInput<Custom = NoCustom> = StandardAccount & Custom;

/** Some attributes of an item; null clears one. */
export type ItemChanges<Input> = { [Name in keyof Input]?: Input[Name] | null };

/** Input of a resource: with an index signature, `Custom` stands for all attributes. */
export type EventInputOf<Custom extends object> = string extends keyof Custom ? Custom : EventInput<Custom>;
export type AccountInputOf<Custom extends object> = string extends keyof Custom ? Custom : AccountInput<Custom>;

/** Custom attributes of an item that the CMS sent: it may leave out each of them. */
export type CustomShown<Custom> = string extends keyof Custom
  ? unknown
  : { [Name in keyof Custom]?: Custom[Name] | null };
