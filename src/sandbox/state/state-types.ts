import type { Payload } from '../../core/record.ts';

/** Items and files to begin with. Items are created as by requests, in the order given. */
export interface SandboxFixtures {
  /** Events, or those of each instance by its key. */
  events?: Payload[] | Record<string, Payload[]> | undefined;
  accounts?: Payload[] | undefined;
  /** Files by their names: an attribute of an event refers to one by `{ src: 'fixture:NAME' }`. */
  files?: Record<string, FixtureFile> | undefined;
}

/** A file to upload. */
export interface FixtureFile {
  /** Layout key of the attribute that it is uploaded for. */
  attribute: string;
  /** Where the file is, from the folder of the fixtures; default: its name. */
  path?: string | undefined;
  /** Or the file itself, in base64. */
  content?: string | undefined;
}

/** The items and files that fixtures became. */
export interface LoadedFixtures {
  /** Ids, in the order given. */
  events: number[];
  accounts: number[];
  /** Name → path for clients. */
  files: Record<string, string>;
}

/** All items and files of a sandbox, as JSON can carry them. */
export interface SandboxSnapshot {
  events: ResourceSnapshot;
  accounts: ResourceSnapshot;
  uploads: Array<{ src: string /** Base64. */; content: string }>;
}

/** The items of one resource. */
export interface ResourceSnapshot {
  /** The id that the next item gets. */
  nextId: number;
  /** `instance`: key of the calendar app; '' for the only one, and for accounts. */
  items: Array<{ id: number; instance: string; data: Payload }>;
}
