import type { Resource } from './record.ts';

/** How one attribute gets its value. A bare string in a sync file is `{ field }`. */
export interface FieldRule {
  /** Dot path into the source record's fields. */
  field?: string;
  /** A constant. */
  value?: string | number | boolean | null;
  /** A Liquid template over the source record's fields. */
  template?: string;
  /** Used where the value is absent or empty. */
  default?: string | number | boolean;
  /** Table that replaces the value; one that is not in it is rejected unless there is a default. */
  lookup?: Record<string, string | number | boolean>;
  /** What to do with HTML. Absent: the value is left as it is. */
  html?: 'sanitize' | 'text' | 'keep';
}

/** How the key is made: a field, and how it is normalised. */
export interface KeyRule {
  field: string;
  normalize: Array<'trim' | 'lower' | 'nfc'>;
}

/** The dates that the feed is authoritative for. ISO dates, inclusive, in the site's zone; durations as days. */
export type Window = { pastDays?: number; futureDays?: number } | { from?: string; to?: string };

/** When a sync runs by itself: a cron expression with its zone, or an interval in ms. */
export type Schedule = { cron: string; timezone: string } | { everyMs: number };

/**
 * `source`: every change of the source is sent. `initial`: sent in the create only. `editor`: what an editor changed in
 * the CMS since the last delivery stays.
 */
export type Authority = 'source' | 'initial' | 'editor';

/** One sync file, validated. */
export interface SyncConfig {
  name: string;
  /** Absolute path of the sync file; relative paths in it start at its folder. */
  file: string;
  resource: Resource;
  /** Instance key of the calendar app (API: query parameter `instance`). */
  instance?: string;
  source: SourceConfig;
  window?: Window;
  key: KeyRule;
  /** Absent: the connector's default map, else by name. */
  map?: Record<string, FieldRule>;
  /** Attribute layout key → field that holds a URL, a path or inline data. */
  attachments: Record<string, string>;
  onAttachmentError: 'publish' | 'hold';
  /** Whose word counts in an attribute; absent: the source's. */
  authority?: Record<string, Authority>;
  /** Attributes by which a first import recognises items that the CMS has already. */
  adopt?: { match: string[] };
  /** New accounts get a random password. */
  generatePassword?: boolean;
  schedule?: Schedule;
  missing: { policy: 'keep' };
}

export interface SourceConfig {
  connector: string;
  /** Absolute path or pattern of paths, http(s), webcal or file URL, or `-` for standard input. */
  url: string;
  /** IANA zone for wall times in the feed that name none; default: the target's. */
  timezone?: string;
  /** How the feed is opened. */
  feed: {
    /** Charset of the feed; default: found out. */
    encoding?: string;
    maxBytes?: number;
    /** How many times its own size a compressed feed may unpack to. */
    maxRatio?: number;
    timeoutMs?: number;
    /** How often opening is tried again after a transient failure. */
    retries?: number;
    /** File to read from a ZIP archive. */
    member?: string;
    headers?: Record<string, string>;
    auth?: { bearer: string } | { user: string; password: string };
    query?: Record<string, string>;
    method?: 'GET' | 'POST';
    /** Body of the request, as it is sent. */
    body?: string;
    /** Feeds on this machine or in the private network. */
    allowPrivateNetwork?: boolean;
  };
  /** The connector's own options, as its schema made them. */
  options: unknown;
}

/** The CMS and how gently to treat it. */
export interface TargetConfig {
  baseUrl: string;
  token: string;
  /** IANA zone of the site: dates and times in the CMS are wall time there. */
  timezone: string;
  /** Layout key of a custom attribute that carries sync + key. */
  externalId?: string;
  /** Requests in flight. */
  concurrency: number;
  /** Absent: no limit. */
  requestsPerSecond?: number;
  /** How often a record is tried before it is failed. */
  maxAttempts: number;
  /** First pause before a record is tried again, in ms; it doubles from there, up to `maxBackoffMs`. */
  backoffMs: number;
  maxBackoffMs: number;
  /** Time for one request, in ms. */
  timeoutMs: number;
  /** http:// to a host that is not this machine. */
  allowHttp: boolean;
}

export interface Config {
  /** Absolute path of the config folder. */
  dir: string;
  target: TargetConfig;
  syncs: SyncConfig[];
}
