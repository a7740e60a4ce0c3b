import type { Payload } from '../../core/record.ts';

/** Items and files to begin with. Items are created as by requests, in the order given. */
export interface SandboxFixtures {
  /** Events, or those of each instance by its key. */
  events?: Payload[] | Record<string, Payload[]> | undefined;
  accounts?: Payload[] | undefined;
  /** Files by their names: an attribute of an event refers to a file by `{ src: 'fixture:NAME' }`. */
  files?: Record<string, FixtureFile> | undefined;
}

/** A file to upload. */
export interface FixtureFile {
  /** Layout key of the attribute for which the file is uploaded. */
  attribute: string;
  /** Path of the file, relative to the folder of the fixtures; default: its name. */
  path?: string | undefined;
  /** The content of the file in base64, instead of a path. */
  content?: string | undefined;
}

/** The items and files created from fixtures. */
export interface LoadedFixtures {
  /** Ids, in the order given. */
  events: number[];
  accounts: number[];
  /** Name → path for clients. */
  files: Record<string, string>;
}

/** All items and files of a sandbox, in a form that fits in JSON. */
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
