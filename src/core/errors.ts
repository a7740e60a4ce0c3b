interface ErrorEntry {
  /** What the error means. */
  cause: string;
  /** What the user can do. */
  remedy: string;
  /** Exit code where it ends a command: 1 failed, 2 usage or config. */
  exit: 1 | 2;
}

/** Every error that feedferry reports. docs/errors.md lists the same table; a test keeps them in step. */
export const errorTable = {
  // Command line and configuration
  FF_USAGE: { cause: 'The command line is not understood.', remedy: 'Run `feedferry --help`.', exit: 2 },
  FF_CONFIG_MISSING: {
    cause: 'The config folder or a file in it cannot be read.',
    remedy: 'Name the folder with --config or FEEDFERRY_CONFIG; it holds feedferry.yaml and syncs/*.yaml.',
    exit: 2,
  },
  FF_CONFIG_YAML: { cause: 'A config file is not valid YAML.', remedy: 'Correct the file at the line named.', exit: 2 },
  FF_CONFIG_INVALID: {
    cause: 'A config file has a key or value that feedferry does not know.',
    remedy: 'Correct each line named; docs/configuration.md lists every key.',
    exit: 2,
  },
  FF_CONFIG_ENV: {
    cause: 'A config file names an environment variable that is not set.',
    remedy: 'Set the variable, or give a default with ${NAME:-default}.',
    exit: 2,
  },
  FF_SYNC_UNKNOWN: {
    cause: 'No sync file has that name.',
    remedy: 'Use the name of a file in syncs/, without its ending.',
    exit: 2,
  },
  FF_DATA_DIR: {
    cause: 'The data directory cannot be written.',
    remedy: 'Point FEEDFERRY_DATA at a folder that this user may write.',
    exit: 2,
  },

  // Feeds and connectors
  FF_FEED_MISSING: { cause: 'The feed does not exist.', remedy: 'Check source.url of the sync.', exit: 1 },
  FF_FEED_UNREADABLE: {
    cause: 'The feed could not be read.',
    remedy: 'Check that the location can be reached and read.',
    exit: 1,
  },
  FF_FEED_STATUS: {
    cause: 'The feed answered with an error status.',
    remedy: 'Open the address and check its credentials.',
    exit: 1,
  },
  FF_FEED_ADDRESS: {
    cause: 'The feed or file is in a private network.',
    remedy: 'Check the address; allow it with source.allowPrivateNetwork if it is right.',
    exit: 1,
  },
  FF_FEED_TOO_LARGE: {
    cause: 'The feed is larger than allowed.',
    remedy: 'Check the feed; raise source.maxBytes if it is right.',
    exit: 1,
  },
  FF_FEED_TIMEOUT: {
    cause: 'The feed did not answer in time.',
    remedy: 'Try again later; raise source.timeout if it is slow.',
    exit: 1,
  },
  FF_FEED_FORMAT: {
    cause: 'The feed is not in the format that its connector reads.',
    remedy:
      'Check that source.url leads to the feed itself, not to a login or error page, and that the connector fits.',
    exit: 1,
  },
  FF_FEED_CHARSET: {
    cause: 'The characters of the feed cannot be decoded.',
    remedy: 'Name the charset with source.encoding.',
    exit: 1,
  },
  FF_FEED_COLUMNS: {
    cause: 'The columns of the feed do not fit the sync.',
    remedy: 'Correct the header row or the map.',
    exit: 1,
  },
  FF_RECORD_MALFORMED: {
    cause: 'One record of the feed is malformed.',
    remedy: 'Correct the record in the source.',
    exit: 1,
  },

  // Mapping
  FF_RECORD_KEY: {
    cause: 'A record has no key.',
    remedy: 'Fill the key field in the source, or choose another key.',
    exit: 1,
  },
  FF_RECORD_DUPLICATE: {
    cause: 'Several records of the feed have the same key.',
    remedy: 'Make the key unique in the source; none of them is published until then.',
    exit: 1,
  },
  FF_RECORD_REQUIRED: {
    cause: 'A required attribute has no value.',
    remedy: 'Fill it in the source or give it a default in the map.',
    exit: 1,
  },
  FF_RECORD_VALUE: {
    cause: 'A value does not fit its attribute.',
    remedy: 'Correct the value in the source.',
    exit: 1,
  },
  FF_RECORD_DATE: { cause: 'A value is not a date or time.', remedy: 'Correct the value in the source.', exit: 1 },
  FF_RECORD_LOOKUP: {
    cause: 'A value is not in the lookup table.',
    remedy: 'Add it to the table or give a default.',
    exit: 1,
  },
  FF_RECORD_TEMPLATE: {
    cause: 'A template failed on a record.',
    remedy: 'Correct the template or the record.',
    exit: 1,
  },
  FF_RECORD_EXPRESSION: {
    cause: 'An expression failed on a record.',
    remedy: 'Correct the expression or the record.',
    exit: 1,
  },
  FF_RECORD_SCRIPT: {
    cause: 'The map function of a TypeScript sync file failed on a record, or gave no payload.',
    remedy: 'Correct the function or the record.',
    exit: 1,
  },

  // Attachments
  FF_ATTACHMENT_UNREADABLE: {
    cause: 'An attached file cannot be read.',
    remedy: 'Check its path or address.',
    exit: 1,
  },
  FF_ATTACHMENT_TYPE: {
    cause: 'An attached file is not of a type that may be uploaded.',
    remedy: 'Use an image or PDF.',
    exit: 1,
  },
  FF_ATTACHMENT_TOO_LARGE: {
    cause: 'An attached file is larger than allowed.',
    remedy: 'Use a smaller file.',
    exit: 1,
  },
  FF_ATTACHMENT_UPLOAD: {
    cause: 'The CMS did not take an attached file.',
    remedy: 'Read the detail; check type and size of the file. The next run tries again.',
    exit: 1,
  },

  // Plans and runs
  FF_GUARD_EMPTY: {
    cause: 'The feed has no records, though earlier runs delivered some.',
    remedy: 'Check the feed; nothing was changed in the CMS.',
    exit: 1,
  },
  FF_GUARD_CHURN: {
    cause: 'The source has given most records new keys, and some cannot be recognised without doubt.',
    remedy:
      'Use a key that stays the same, or tell the records apart (title, dates, start) in the source. If they are new indeed: `feedferry approve RUN`.',
    exit: 1,
  },
  FF_GUARD_MISSING: {
    cause: 'The feed lacks more records than may be deleted or marked at a time.',
    remedy:
      'See which: `feedferry approve --list`. If they are gone indeed: `feedferry approve RUN`. Else mend the feed; the next run judges anew.',
    exit: 1,
  },
  FF_APPROVE_NOT_HELD: {
    cause: 'The run that is to be approved waits for no approval.',
    remedy: 'Take the id of a held run from `feedferry approve --list`.',
    exit: 2,
  },
  FF_APPROVE_STALE: {
    cause: 'The plan of a held run does not hold any more: since then the feed or the records have changed.',
    remedy: 'See what waits now: `feedferry approve --list`. Nothing was changed.',
    exit: 1,
  },
  FF_RUN_UNKNOWN: {
    cause: 'The ledger has no such run of that sync.',
    remedy: 'Take the id of a run from `feedferry status`.',
    exit: 2,
  },
  FF_RECORD_UNKNOWN: {
    cause: 'No record has that key.',
    remedy: 'Look the keys up with `feedferry preview SYNC`.',
    exit: 2,
  },
  FF_RUN_BUSY: { cause: 'Another run of this sync is under way.', remedy: 'Wait until it has finished.', exit: 1 },
  FF_RUN_ABANDONED: {
    cause: 'The process of a run ended before the run did.',
    remedy: 'Run the sync again: it goes on where it stood.',
    exit: 1,
  },

  FF_RUN_INTERRUPTED: {
    cause: 'The run was stopped before its end.',
    remedy: 'Run the sync again: it goes on where it stood.',
    exit: 1,
  },

  FF_BACKFILL_OPEN: {
    cause: 'A backfill of other days is not finished.',
    remedy: 'Go on with it by `feedferry backfill SYNC` without days, or give it up for a new one with --restart.',
    exit: 2,
  },
  FF_UNDO_NOTHING: {
    cause: 'A run that is to be undone has changed nothing that the ledger remembers.',
    remedy:
      'Take the id of a run that created, updated or deleted something; `retention` says how long it is remembered.',
    exit: 2,
  },
  FF_UNDO_LATER: {
    cause: 'A change is not undone, since a later run has changed the record again.',
    remedy: 'Undo the later run first, then this one once more.',
    exit: 1,
  },
  FF_UNDO_EDITED: {
    cause: 'A change is not undone, since the item was edited in the CMS since.',
    remedy: 'Look at the item in the CMS, and decide there what is to stay.',
    exit: 1,
  },
  FF_UNDO_GONE: {
    cause: 'A change is not undone, since the item is not there any more, or is there again.',
    remedy: 'Nothing has to be done, unless the CMS should have it otherwise.',
    exit: 1,
  },
  FF_UNDO_FORGOTTEN: {
    cause: 'A change is not undone, since the ledger does not have what the item was before.',
    remedy: 'Mend the item in the CMS; `retention` says how long such images are kept.',
    exit: 1,
  },
  FF_UNDO_UNSETTLED: {
    cause: 'A change is not undone, since nobody knows whether the last change of the record was applied.',
    remedy: 'Settle it with `feedferry retry SYNC`, then undo the run once more.',
    exit: 1,
  },
  FF_PURGE_ADOPTED: {
    cause: 'An item is not deleted by a purge, since the CMS had it before feedferry knew it.',
    remedy: 'It stays, and is nobody’s from now on. Delete it in the CMS if it is not wanted there.',
    exit: 1,
  },
  FF_ADOPT_AMBIGUOUS: {
    cause: 'A new record and the items that the CMS has already do not match one to one.',
    remedy: 'Name its item: `feedferry explain SYNC KEY --adopt ID`. Or tell them apart and `feedferry retry SYNC`.',
    exit: 1,
  },
  FF_ADOPT_ITEM: {
    cause: 'The CMS has no item with the id that a record is to get.',
    remedy: 'Look its id up in the CMS: it stands in the address under which the item is edited.',
    exit: 2,
  },
  FF_ADOPT_TAKEN: {
    cause: 'The item that a record is to become is another record.',
    remedy: 'Check id and key; `feedferry explain` tells which item each record is.',
    exit: 2,
  },
  FF_ADOPT_SETTLED: {
    cause: 'The record that is to become an item of the CMS is one already.',
    remedy: 'Nothing has to be done; `feedferry explain SYNC KEY` tells which item it is.',
    exit: 2,
  },

  // Passwords at rest
  FF_SECRET_KEY: {
    cause: 'The key that encrypts passwords cannot be read or made.',
    remedy: 'Set FEEDFERRY_SECRET, or let this user read and write secret.key in the data directory.',
    exit: 1,
  },
  FF_SECRET_UNREADABLE: {
    cause: 'The password of a new account was encrypted with another key.',
    remedy: 'Set the same FEEDFERRY_SECRET for all processes, and run the sync again.',
    exit: 1,
  },

  // Ledger and queue
  FF_LEDGER_UNAVAILABLE: {
    cause: 'The ledger cannot be opened, or it went away.',
    remedy: 'Check DATABASE_URL or FEEDFERRY_DATA.',
    exit: 1,
  },
  FF_QUEUE_UNAVAILABLE: { cause: 'Redis cannot be reached.', remedy: 'Check REDIS_URL and that Redis runs.', exit: 1 },
  FF_QUEUE_NEEDS_REDIS: {
    cause: 'This command works only with Redis and a shared ledger.',
    remedy: 'Set REDIS_URL, and DATABASE_URL where workers run on several machines.',
    exit: 2,
  },

  // CMS
  FF_CMS_UNREACHABLE: { cause: 'The CMS cannot be reached.', remedy: 'Check target.baseUrl and the network.', exit: 1 },
  FF_CMS_CONNECTION: {
    cause: 'The connection to the CMS broke before its answer was complete.',
    remedy: 'Try again later; if it stays, check proxies and firewalls before the CMS.',
    exit: 1,
  },
  FF_CMS_ABORTED: { cause: 'A request to the CMS was given up, as asked.', remedy: 'Run it again.', exit: 1 },
  FF_CMS_REDIRECT: {
    cause: 'The CMS answered with a redirect. It is not followed, for the token must not travel elsewhere.',
    remedy: 'Set target.baseUrl to the final address of the site.',
    exit: 1,
  },
  FF_CMS_TIMEOUT: {
    cause: 'The CMS did not answer in time.',
    remedy: 'Try again later; raise target.timeout if the site is slow.',
    exit: 1,
  },
  FF_CMS_UNAUTHORIZED: {
    cause: 'The CMS does not accept the token (401).',
    remedy: 'Make a token in the site administration under Settings, API, and set CMS_API_TOKEN.',
    exit: 1,
  },
  FF_CMS_BAD_REQUEST: {
    cause: 'The CMS did not understand a request (400).',
    remedy: 'Read the detail; correct the map.',
    exit: 1,
  },
  FF_CMS_NOT_FOUND: {
    cause: 'The CMS does not have the item or address (404).',
    remedy: 'Check target.baseUrl; the item may be deleted there.',
    exit: 1,
  },
  FF_CMS_DELETED: {
    cause: 'The item of a record was deleted in the CMS.',
    remedy:
      'To have it back, set onDeletedInCms: recreate, or name another item: `feedferry explain SYNC KEY --adopt ID`.',
    exit: 1,
  },
  FF_CMS_UNSUPPORTED_MEDIA: {
    cause: 'The CMS does not accept the content type (415).',
    remedy: 'Read the detail; check the file type.',
    exit: 1,
  },
  FF_CMS_UNPROCESSABLE: {
    cause: 'The CMS rejected the values of a record (422).',
    remedy: 'Read the detail; correct the record or the map.',
    exit: 1,
  },
  FF_CMS_RATE_LIMITED: {
    cause: 'The CMS asked to slow down (429).',
    remedy: 'Lower target.requestsPerSecond.',
    exit: 1,
  },
  FF_CMS_SERVER: { cause: 'The CMS failed (5xx).', remedy: 'Try again later; ask the host of the site.', exit: 1 },
  FF_CMS_STATUS: {
    cause: 'The CMS answered with a status that its API does not name.',
    remedy: 'Check target.baseUrl.',
    exit: 1,
  },
  FF_CMS_RESPONSE: {
    cause: 'The CMS answered with something that is not its API.',
    remedy: 'Check target.baseUrl.',
    exit: 1,
  },
  FF_CMS_INSECURE: {
    cause: 'target.baseUrl is http:// to another machine: the token would travel in clear.',
    remedy: 'Use https://, or set target.allowHttp: true.',
    exit: 2,
  },
  FF_DESTINATION_CHANGED: {
    cause: 'The ledger knows the records of a sync in another site or calendar than the one configured now.',
    remedy:
      'For another site, use another FEEDFERRY_DATA or DATABASE_URL; for another calendar, another sync. If the same site has a new address, set target.movedFrom to the old one.',
    exit: 1,
  },
  FF_CMS_PAUSED: {
    cause: 'The CMS asked for a pause, or did not answer as it should, and gets no requests for a while.',
    remedy: 'Wait; the next run goes on with what is left.',
    exit: 1,
  },
  FF_CMS_UNAVAILABLE: {
    cause: 'The CMS failed again and again, after every pause. What is not delivered waits for the next run.',
    remedy: 'See whether the site works; then run the sync again.',
    exit: 1,
  },
  FF_CMS_AMBIGUOUS: {
    cause: 'A create may have been applied, and the CMS cannot say whether it was.',
    remedy: 'Name its item: `feedferry explain SYNC KEY --adopt ID`. Or remove the doubt and `feedferry retry SYNC`.',
    exit: 1,
  },

  // HTTP
  FF_HTTP_OPEN: {
    cause: 'HTTP_HOST opens the HTTP server to other machines, and nothing protects it.',
    remedy: 'Set HTTP_TOKEN or HTTP_TOKEN_FILE, or leave HTTP_HOST out: then only this machine reaches it.',
    exit: 2,
  },
  FF_HTTP_LISTEN: {
    cause: 'The HTTP server cannot listen.',
    remedy: 'Choose another HTTP_PORT or HTTP_HOST; 0 takes any free port.',
    exit: 1,
  },
  FF_HTTP_UNAUTHORIZED: {
    cause: 'A request over HTTP came without the right token, or by a name that is not this machine.',
    remedy: 'Send the value of HTTP_TOKEN as Bearer token or as password; without one, ask 127.0.0.1 or localhost.',
    exit: 1,
  },
  FF_HTTP_REQUEST: {
    cause: 'A request over HTTP is not understood.',
    remedy: 'Correct the request; docs/http.md lists all of them.',
    exit: 1,
  },
  FF_HTTP_TOO_MANY: {
    cause: 'One machine sends more requests over HTTP than are answered.',
    remedy: 'Ask less often; Retry-After says when it goes on.',
    exit: 1,
  },

  // Alerts
  FF_ALERT_UNSENT: {
    cause: 'Somebody could not be told about a sync.',
    remedy: 'Check alerts.webhook and alerts.email; feedferry tries again.',
    exit: 1,
  },

  FF_SANDBOX_PORT: { cause: 'The sandbox cannot listen on that port.', remedy: 'Choose another --port.', exit: 1 },
  FF_BUG: {
    cause: 'Something happened that feedferry did not expect.',
    remedy: 'Please report it with the log.',
    exit: 1,
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;

/** An error that people can act on: a code of the table, a message that names place and value, and a remedy. */
export class CodedError extends Error {
  override name = 'CodedError';
  readonly code: ErrorCode;
  readonly remedy: string;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; remedy?: string } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.remedy = options.remedy ?? errorTable[code].remedy;
  }
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Any thrown value as a CodedError; what is not one is a bug. */
export function toCodedError(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  return new CodedError('FF_BUG', messageOf(error), { cause: error });
}
