import type { Resource } from './record.ts';

/** A value that YAML can spell without quotes and a CMS attribute can hold. */
type Plain = string | number | boolean;

/**
 * How one attribute gets its value: from exactly one of field, value, template and expression, and then through the steps
 * below, in the order in which they stand here. A bare string in a sync file is `{ field }`.
 */
export interface FieldRule {
  /** Dot path into the source record's fields. */
  field?: string;
  /** A constant. */
  value?: Plain | null;
  /** A Liquid template over the source record's fields. */
  template?: string;
  /** A JSONata expression over the source record's fields. */
  expression?: string;
  /** Removes blanks at both ends. */
  trim?: boolean;
  /** Separator that makes a text a list. */
  split?: string;
  /** Table that replaces the value; one that is not in it is rejected unless there is a default. */
  lookup?: Record<string, Plain>;
  /** Words that mean yes, besides the usual ones. */
  true?: string[];
  /** Words that mean no, besides the usual ones. */
  false?: string[];
  /** The formats that a date or time may be written in. */
  format?: string[];
  /** IANA zone of dates in those formats; default: the source's. */
  zone?: string;
  /** BCP 47 language of month names in those formats; default: English. */
  language?: string;
  case?: 'lower' | 'upper' | 'title';
  /** Separator that makes a list a text. */
  join?: string;
  /** Used where the value is absent or empty. */
  default?: Plain;
  /** What to do with HTML; an allow-list sanitizes. Absent: the value is left as it is. */
  html?: 'sanitize' | 'text' | 'keep' | HtmlAllowList;
}

/** The HTML that may stay: element names, and for each of them its attributes. */
export interface HtmlAllowList {
  tags: string[];
  attributes: Record<string, string[]>;
}

/** Which records count, either by a field or by an expression whose result is true. */
export type Condition =
  | { expression: string }
  /** `is` and `not` hold texts that are compared without regard to case; `present` whether there is a value. */
  | { field: string; is?: string[]; not?: string[]; present?: boolean };

/** The `map` of a TypeScript sync file: a record's fields → attribute → value, absent where undefined. */
export type MapFunction = (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

/** What time.type says of events (API: the values beyond `timed` are not known). */
export interface TimeTypes {
  allDay?: string;
  /** Events that end when they start. */
  startOnly?: string;
  startEnd?: string;
}

/** How the key is made: a field, and how it is normalised. */
export interface KeyRule {
  field: string;
  normalize: Array<'trim' | 'lower' | 'nfc'>;
}

/** The dates that the feed is authoritative for. ISO dates, inclusive, in the site's zone; durations as days. */
export type Window = { pastDays?: number; futureDays?: number } | { from?: string; to?: string };

/** When a sync runs by itself: a cron expression with its zone, or an interval in ms. */
export type Schedule = ({ cron: string; timezone: string } | { everyMs: number }) & {
  /** A run begins up to so much later than it is due, by chance. */
  jitterMs?: number;
};

/**
 * `source`: every change of the source is sent. `initial`: sent in the create only. `editor`: what an editor changed in
 * the CMS since the last delivery stays.
 */
export type Authority = 'source' | 'initial' | 'editor';

/** What is told of a sync by itself, the gravest first: how a run ended, no records in the feed, nothing for too long. */
export const alertKinds = ['failed', 'held', 'empty', 'partial', 'stale'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** When a sync counts as stale: after so many intervals of its schedule, or at an age in ms. */
export type StaleAfter = { intervals: number } | { ageMs: number };

/** What is told, to whom, and how often at most. */
export interface AlertsConfig {
  on: AlertKind[];
  /** Shortest time between two messages of one kind about one sync, in ms. */
  everyMs: number;
  staleAfter: StaleAfter;
  webhook?: WebhookConfig;
  email?: EmailConfig;
}

export interface WebhookConfig {
  /** May hold secrets itself. */
  url: string;
  /** What requests are signed with; absent: they are not. */
  secret?: string;
  format: 'json' | 'slack';
  headers: Record<string, string>;
}

export interface EmailConfig {
  from: string;
  to: string[];
  smtp: SmtpConfig;
}

export interface SmtpConfig {
  host: string;
  port: number;
  /** TLS from the first byte on; else STARTTLS where the server offers it, and always before a password is sent. */
  secure: boolean;
  auth?: { user: string; password: string };
}

/** What a sync says of its own alerts: none at all, or in which it differs. */
export type SyncAlerts = false | { on?: AlertKind[]; staleAfter?: StaleAfter };

/** What happens to records that the feed no longer has. */
export type MissingRule =
  | { policy: 'keep' }
  | ({ policy: 'delete' } & Removal)
  | ({ policy: 'set' } & Marking & Removal);

/** When something is done about a missing record. */
export interface Removal {
  /** How long it has to be missing first: in so many runs, this one included, or in ms. */
  after: { runs: number } | { ms: number };
  /** More than either of them at a time, and the run is held. Per cent of the records that the feed answers for. */
  threshold: { percent?: number; absolute?: number };
  /** Also events that are over. */
  includePast: boolean;
}

/** Attributes that say on the site that the source has an item no more. */
export interface Marking {
  set: Record<string, Plain | null>;
}

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
  /** Records that it does not hold for are skipped. */
  when?: Condition;
  /** Absent: the connector's default map, else by name. `password` is for accounts, and for their create alone. */
  map?: Record<string, FieldRule>;
  /** Instead of `map`, in a TypeScript sync file. */
  mapFunction?: MapFunction;
  /** Hex SHA-256 of a TypeScript sync file and what it imports: what its functions do is told by nothing else. */
  scriptHash?: string;
  /** Attribute layout key → field that holds a URL, a path or inline data. */
  attachments: Record<string, string>;
  onAttachmentError: 'publish' | 'hold';
  /** What happens to a record whose item somebody deleted in the CMS. */
  onDeletedInCms: 'leave' | 'recreate';
  /** The values of time.type; `timed` where absent. */
  timeTypes?: TimeTypes;
  /** Whose word counts in an attribute; absent: the source's. */
  authority?: Record<string, Authority>;
  /** Attributes by which a first import recognises items that the CMS has already. */
  adopt?: { match: string[] };
  /** New accounts get a random password. */
  generatePassword?: boolean;
  schedule?: Schedule;
  /** Absent: as for all syncs. */
  alerts?: SyncAlerts;
  missing: MissingRule;
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
  /** The former address of the same site, after it has moved. */
  movedFrom?: string;
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
  /** How long a create without an answer may still be on its way: so long it is not looked for. In ms. */
  lookupAfterMs: number;
  /** http:// to a host that is not this machine. */
  allowHttp: boolean;
}

/** How long the ledger keeps what it could do without, in ms; 0: no longer than it has to. */
export interface RetentionConfig {
  runsMs: number;
  rejectsMs: number;
  /** What records were before a run changed them. 0: that is not kept at all. */
  beforeImagesMs: number;
  filesMs: number;
}

export interface Config {
  /** Absolute path of the config folder. */
  dir: string;
  target: TargetConfig;
  /** Absent: nobody is told. */
  alerts?: AlertsConfig;
  retention: RetentionConfig;
  syncs: SyncConfig[];
}
