interface ErrorEntry {
  cause: string;
  remedy: string;
  /** Exit code of a command that ends with this error: 2 for usage or config; absent: 1. */
  exit?: 2;
}

/** Every error that feedferry reports. `npm run dev -- docs:errors` generates docs/errors.md from this table. */
const table = {
  // Command line and configuration
  FF_USAGE: {
    cause: 'The command line has an unknown command or option, or lacks an argument.',
    remedy: 'Run `feedferry --help`, or `feedferry COMMAND --help`.',
    exit: 2,
  },
  FF_CONFIG_MISSING: {
    cause: 'The config folder or a file in it is missing or cannot be read.',
    remedy: 'Name the folder that holds feedferry.yaml and syncs/*.yaml: `--config DIR`, or set FEEDFERRY_CONFIG.',
    exit: 2,
  },
  FF_CONFIG_YAML: { cause: 'A config file is not valid YAML.', remedy: 'Correct the file at the line shown.', exit: 2 },
  FF_CONFIG_INVALID: {
    cause: 'A config file has an unknown key or an invalid value.',
    remedy: 'Correct each line shown. All keys: `feedferry help configuration`',
    exit: 2,
  },
  FF_CONFIG_ENV: {
    cause: 'A config file uses an environment variable that is not set.',
    remedy:
      'Set the variable, also in a file `.env` beside the config folder: `NAME=value`. Or write a default in the config file: `${NAME:-default}`.',
    exit: 2,
  },
  FF_CONFIG_EXAMPLES: {
    cause: 'The syncs of the config folder are examples with invented records, and the CMS is not on this machine.',
    remedy:
      'Write syncs for the feeds of your site in another folder: `feedferry init FEED`. To try the examples, unset CMS_BASE_URL, or set it to the address of a `feedferry sandbox`.',
    exit: 2,
  },
  FF_ENV_FILE: {
    cause: 'The `.env` file beside the config folder cannot be read, or has a line that is not `NAME=value`.',
    remedy:
      'Correct the line: `NAME=value`, with quotes around a value that has spaces, `#` or quotes. Save the file as UTF-8.',
    exit: 2,
  },
  FF_SYNC_UNKNOWN: {
    cause: 'There is no sync with that name.',
    remedy: 'Use the name of a file in syncs/ without its extension: `museum` for syncs/museum.yaml.',
    exit: 2,
  },
  FF_INIT_EXISTS: {
    cause: '`init` would overwrite the file of a sync or of its mapping tests.',
    remedy: 'Give the sync another name with `--name NAME`, or overwrite its files with `--force`.',
    exit: 2,
  },
  FF_INIT_UNKNOWN: {
    cause: '`init` found nothing in the feed that identifies an event or an account.',
    remedy:
      'Check that the source is the right one, and that it has records. To write the sync yourself: `feedferry help configuration`',
  },
  FF_EDIT_IMPOSSIBLE: {
    cause: 'The console cannot change this part of a sync file, or not without changing other parts of it.',
    remedy: 'Change the file in an editor.',
  },
  FF_EDIT_CHANGED: {
    cause:
      'A sync file has changed since the console read it, so that a change could overwrite what somebody else has written.',
    remedy: 'Open the sync again, and repeat your change.',
  },
  FF_DATA_DIR: {
    cause: 'The data directory is not writable.',
    remedy: 'Set FEEDFERRY_DATA to a folder that this user can write to.',
    exit: 2,
  },

  // Feeds and connectors
  FF_FEED_MISSING: {
    cause: 'The feed file does not exist.',
    remedy: 'Correct `source.url` in the sync file. A relative path starts at the folder of the sync file.',
  },
  FF_FEED_UNREADABLE: {
    cause: 'The feed could not be read.',
    remedy: 'Check `source.url`, the network, and the permissions of the file.',
  },
  FF_FEED_STATUS: {
    cause: 'The server of the feed returned an error status.',
    remedy: 'Open the address in a browser. If it fails there, too, ask its operator. Otherwise correct `source.url`.',
  },
  FF_FEED_LOGIN: {
    cause: 'feedferry got no access token for the feed.',
    remedy: 'Correct `source.auth` in the sync file, and check it: `feedferry doctor`.',
  },
  FF_FEED_ADDRESS: {
    cause: 'The feed or an attached file is in a private network.',
    remedy: 'If the address is correct, write `allowPrivateNetwork: true` under `source`.',
  },
  FF_FEED_TOO_LARGE: {
    cause: 'The feed is larger than allowed.',
    remedy: 'If the feed is correct, raise the limit under `source`, for example `maxBytes: 2000000000`.',
  },
  FF_FEED_TIMEOUT: {
    cause: 'The feed did not respond in time.',
    remedy: 'Try again later. If the feed is always slow, allow more time under `source`, for example `timeout: 3m`.',
  },
  FF_FEED_FORMAT: {
    cause: 'The feed is not in the format that its connector reads.',
    remedy:
      'Save a spreadsheet as .xlsx without a password, or as CSV. Check that `source.url` leads to the feed itself, not to a login or error page, and that `source.connector` fits the format.',
  },
  FF_FEED_CHARSET: {
    cause: 'The text of the feed cannot be decoded.',
    remedy: 'Name its charset under `source`, for example `encoding: windows-1252`.',
  },
  FF_FEED_COLUMNS: {
    cause: 'The columns of the feed do not fit the sync.',
    remedy:
      'Correct the field names in the sync file, or the header row of the feed. If all columns appear as one, set `source.delimiter`, for example `delimiter: ";"`. If the feed has no header row, name its columns in their order: `header: [id, title]`.',
  },
  FF_RECORD_MALFORMED: { cause: 'A record of the feed is malformed.', remedy: 'Correct the record in the source.' },

  // Mapping
  FF_RECORD_KEY: {
    cause: 'A record has no key.',
    remedy: 'Fill in the key field in the source, or choose another field in the sync file: `key: FIELD`.',
  },
  FF_RECORD_DUPLICATE: {
    cause: 'Several records of the feed have the same key, but differ. None of them is published.',
    remedy: 'Make the keys unique in the source, or choose another field in the sync file: `key: FIELD`.',
  },
  FF_RECORD_REQUIRED: {
    cause: 'A required attribute has no value.',
    remedy: 'Give it a value in the source, or add a default to its rule: `{ field: FIELD, default: VALUE }`.',
  },
  FF_RECORD_VALUE: {
    cause: 'A value does not fit its attribute.',
    remedy: 'Correct the value in the source, or convert it with a rule in `map`.',
  },
  FF_RECORD_DATE: {
    cause: 'A value is not a valid date or time.',
    remedy:
      'Correct the value in the source. If the source writes dates in another way, add the format to the rule: `{ field: FIELD, format: dd.MM.yyyy }`.',
  },
  FF_RECORD_LOOKUP: {
    cause: 'A value is not in the lookup table.',
    remedy: 'Add the value to the table, or give the rule a default: `default: VALUE`.',
  },
  FF_RECORD_TEMPLATE: {
    cause: 'A template failed for a record.',
    remedy: 'Correct the template in the sync file, or the record in the source.',
  },
  FF_RECORD_PATTERN: {
    cause: 'A regular expression in `matches` takes too long for a value of a record.',
    remedy: 'Write a pattern without a repetition inside a repetition, such as `^[a ]+$` instead of `^(a+ ?)+$`.',
  },
  FF_RECORD_SCRIPT: {
    cause: 'The map function of a TypeScript sync file failed for a record, or returned an invalid payload.',
    remedy: 'Correct the function, or the record in the source.',
  },
  FF_RECORD_RULE: {
    cause: 'A record breaks one of the `rules` of its sync. The site keeps what it has of the record.',
    remedy:
      'Correct the record in the source, or change the rule. If it is held, to publish it as it is until another value breaks the rule: `feedferry retry SYNC KEY --publish`. If it is new, to leave it out for good: `feedferry retry SYNC KEY --leave`.',
  },
  FF_RECORD_WITHDRAWN: {
    cause:
      'The source has cancelled a record or made it private, but its item is still on the site, because this sync keeps the items of missing records.',
    remedy:
      'Delete or change the item on the site, or let feedferry do it: `missing: { policy: delete }`. If the item should stay as it is: `feedferry acknowledge SYNC KEY`.',
  },
  FF_RECORD_ALIKE: {
    cause:
      'A new record looks like an item of another sync or of an editor: events with the same title, day and start, accounts with the same e-mail address or username. It is held; the other records are delivered.',
    remedy:
      'If they are the same: `feedferry retry SYNC KEY --same`. To take over an item that no sync owns: `feedferry explain SYNC KEY --adopt ID`. If they are different: `feedferry retry SYNC KEY --distinct`. To exclude the record from one of the feeds, write `when`. If this sync replaces the other one, write `renamedFrom`. If such records are usual in this sync, write `alike: allow`.',
  },
  FF_RECORD_REVIEW: {
    cause:
      'A new record of a sync with `review: new` waits until a person has seen it. The other records are delivered.',
    remedy:
      'All that wait: `feedferry questions SYNC`. To publish: `feedferry retry SYNC KEY --publish`. To leave it out for good: `feedferry retry SYNC KEY --leave`.',
  },
  FF_KEY_CHANGED: {
    cause:
      'A record with a new key resembles one whose key the feed no longer has. It is held; the other records are delivered.',
    remedy:
      '`feedferry questions SYNC` shows both. If they are the same: `feedferry retry SYNC KEY --same`; the item stays, and gets the changes. If not: `feedferry retry SYNC KEY --distinct`; the record is created.',
  },
  FF_KEY_REUSED: {
    cause:
      'A record has the key of an earlier one, but nothing else that names it: the feed may have given the key to something else. It is held; the other records are delivered.',
    remedy:
      '`feedferry questions SYNC` shows both. If they are the same: `feedferry retry SYNC KEY --same`; the item gets the changes. If not: `feedferry retry SYNC KEY --distinct`; the item stays, and the record is created.',
  },

  // Attachments
  FF_ATTACHMENT_UNREADABLE: {
    cause: 'An attached file cannot be read.',
    remedy: 'Check its path or address in the source.',
  },
  FF_ATTACHMENT_OUTSIDE: {
    cause: 'A record names a file outside the folder that files may be taken from.',
    remedy:
      'Move the file into the folder of the feed, or set attachmentsDir in the sync file to the folder of its files.',
  },
  FF_ATTACHMENT_TYPE: {
    cause: 'An attached file has a type that cannot be uploaded.',
    remedy: 'Use an image or a PDF.',
  },
  FF_ATTACHMENT_TOO_LARGE: { cause: 'An attached file is larger than allowed.', remedy: 'Use a smaller file.' },
  FF_ATTACHMENT_UPLOAD: {
    cause: 'The CMS did not accept an attached file.',
    remedy:
      'Check the type and size of the file against the detail. It is tried again, at once by `feedferry retry SYNC`.',
  },
  FF_ATTACHMENT_NOT_TAKEN: {
    cause: 'The CMS refused an event with its uploaded file, or shows the event without it.',
    remedy:
      'Check in the CMS whether the attribute takes such a file, and whether the uploaded file is still there. The file is tried again, at once by `feedferry retry SYNC`.',
  },
  FF_ATTACHMENT_SAME_PATH: {
    cause:
      'The CMS returned the path of another uploaded file for a new one, although their names differ: one may have replaced the other.',
    remedy:
      'Look at the file under this path in the CMS, and ask the provider of the CMS to store each upload under a path of its own. Then use `feedferry retry SYNC`. If the CMS was restored from a backup and gives paths out again, use `feedferry release SYNC`: the next run uploads all files again.',
  },

  // Plans and runs
  FF_GUARD_EMPTY: {
    cause: 'The feed has no records, although earlier runs delivered some.',
    remedy: 'Check the feed. The items stay in the CMS as they are.',
  },
  FF_GUARD_CHURN: {
    cause:
      'About as many records of the feed are new as are missing: the new ones may be the missing ones, under other keys.',
    remedy:
      'Check that it is the right feed. If its records are new: `feedferry approve RUN`. To change the limit: `changes.churn`.',
  },
  FF_GUARD_SOURCES: {
    cause:
      'A sync with several sources has other sources than in its last run, another order of them, or another `merge`.',
    remedy: 'Look at the plan: `feedferry approve --list`. If it is right: `feedferry approve RUN`.',
  },
  FF_GUARD_DAYS: {
    cause: 'Events on the site would be replaced by one that spans their days, or one that spans days by several.',
    remedy:
      'Look at the plan: `feedferry approve --list`. If it is right: `feedferry approve RUN`. If not, add or remove `recurrence: span` in the sync file.',
  },
  FF_GUARD_MISSING: {
    cause: 'More records are missing from the feed than the limit allows. Nothing was deleted or marked.',
    remedy:
      'Review them: `feedferry approve --list`. If they should go: `feedferry approve RUN`. Otherwise fix the feed; the next run checks again.',
  },
  FF_GUARD_CHANGES: {
    cause:
      'More records would change, change alike, or lose values or letters, than a limit allows, although the config is the same. Nothing was changed.',
    remedy:
      'Check that the address has the right feed, in the right charset and time zone, with all its values; of a repair, that the site was not changed on purpose. If the changes are correct: `feedferry approve RUN`. To allow more: `changes` in the sync file.',
  },
  FF_REPAIR_HELD: {
    cause: 'The repair of what differs in the CMS was planned, and waits for a decision. Nothing was changed.',
    remedy: 'Review the plan and approve it: `feedferry approve RUN`.',
  },
  FF_GUARD_DUPLICATES: {
    cause: 'The first run of a sync would create many records that the site already has. Nothing was created.',
    remedy:
      'To take these items over, write `adopt: { match: [title, date] }` (accounts: `[email]`) in the sync file, or restore the ledger. If the records are to exist twice: `feedferry approve RUN`.',
  },
  FF_APPROVE_NOT_HELD: {
    cause: 'The run is not waiting for approval.',
    remedy: 'List the runs that are: `feedferry approve --list`.',
    exit: 2,
  },
  FF_APPROVE_STALE: {
    cause: 'The held plan is out of date: the feed or the records have changed since. Nothing was changed.',
    remedy: 'Review the current plans: `feedferry approve --list`.',
  },
  FF_NOTHING_TO_DO: {
    cause: 'No record needs what was asked for.',
    remedy: 'Nothing has to be done. `feedferry status` shows what is left.',
  },
  FF_ANSWER_CONTRADICTS: {
    cause: 'An answer about events of several sources contradicts earlier answers.',
    remedy:
      'Take one of the answers back, or answer otherwise. `feedferry questions SYNC --answered` lists the answers.',
    exit: 2,
  },
  FF_RUN_UNKNOWN: {
    cause: 'The ledger has no run with that id for that sync.',
    remedy: 'Check the id against `feedferry runs`.',
    exit: 2,
  },
  FF_RECORD_UNKNOWN: { cause: 'No record has that key.', remedy: 'List the keys: `feedferry preview SYNC`.', exit: 2 },
  FF_RUN_BUSY: {
    cause: 'Another run of this sync is in progress.',
    remedy: 'Wait until it has finished, then try again.',
  },
  FF_RUN_ABANDONED: {
    cause: 'The process of a run exited, or was suspended for too long, before the run was finished.',
    remedy: 'Run the sync again. It resumes where it stopped.',
  },
  FF_RUN_INTERRUPTED: {
    cause: 'The run was stopped before it was finished.',
    remedy: 'Run the sync again. It resumes where it stopped.',
  },
  FF_RUN_CANCELLED: {
    cause: 'A person cancelled the run. What was not sent yet was not sent.',
    remedy:
      'The next run of the sync delivers the rest, and so does `feedferry retry SYNC`. To keep the next run from starting: `feedferry pause SYNC --reason TEXT`.',
  },
  FF_SYNC_PAUSED: {
    cause: 'A person paused the sync, so no run of it reads its feed.',
    remedy: 'Resume it: `feedferry resume SYNC`.',
  },
  FF_UNDO_NOTHING: {
    cause: 'The run changed nothing that the ledger still remembers.',
    remedy:
      'Choose a run that changed something: `feedferry runs SYNC --changed`. `retention` sets how long changes are remembered.',
    exit: 2,
  },
  FF_UNDO_LATER: {
    cause: 'The change cannot be undone: a later run changed the record again.',
    remedy: 'Undo the later run first, then this one again.',
  },
  FF_UNDO_EDITED: {
    cause: 'The item was edited in the CMS in the meantime: the change is not undone, or the item is not deleted.',
    remedy: 'Review the item in the CMS and decide there which version to keep.',
  },
  FF_UNDO_GONE: {
    cause: 'The change cannot be undone: the item was deleted or recreated in the meantime.',
    remedy: 'Usually nothing. If the item should be different, change it in the CMS.',
  },
  FF_UNDO_FORGOTTEN: {
    cause: 'The change cannot be undone: the ledger no longer has the previous version of the item.',
    remedy: 'Correct the item in the CMS. `retention.beforeImages` sets how long previous versions are kept.',
  },
  FF_UNDO_UNSETTLED: {
    cause: 'The change cannot be undone: it is unknown whether the last change of the record reached the CMS.',
    remedy: 'Use `feedferry retry SYNC`, then undo the run again.',
  },
  FF_PURGE_ADOPTED: {
    cause: 'A purge does not delete an item that was in the CMS before feedferry adopted it.',
    remedy: 'The item stays, and feedferry no longer manages it. If it is not wanted, delete it in the CMS.',
  },
  FF_ADOPT_AMBIGUOUS: {
    cause: 'A new record cannot be matched to exactly one existing item of the CMS.',
    remedy:
      'Name its item: `feedferry explain SYNC KEY --adopt ID`. Or make the items distinct and use `feedferry retry SYNC`.',
  },
  FF_ADOPT_ITEM: {
    cause: 'The CMS has no item with the id given.',
    remedy: 'Find the id in the CMS: it is part of the address of the page that edits the item.',
    exit: 2,
  },
  FF_ADOPT_TAKEN: {
    cause: 'The item already belongs to another record.',
    remedy:
      'Check the id and the key. If both records are the same event or account, exclude one of them from its feed (`when`). If KEY is held: `feedferry retry SYNC KEY` says what it waits for, and how to answer.',
    exit: 2,
  },
  FF_ADOPT_SETTLED: {
    cause: 'The record already has an item in the CMS.',
    remedy: 'Nothing to do. `feedferry explain SYNC KEY` shows the item.',
    exit: 2,
  },

  // Stored passwords
  FF_SECRET_KEY: {
    cause: 'The key that encrypts passwords cannot be read or created.',
    remedy: 'Set FEEDFERRY_SECRET, or let this user read and write secret.key in the data directory.',
  },
  FF_SECRET_UNREADABLE: {
    cause: 'The password of a new account was encrypted with another key.',
    remedy: 'Set the same FEEDFERRY_SECRET for all processes, then run the sync again.',
  },

  // Ledger and queue
  FF_LEDGER_UNAVAILABLE: {
    cause: 'The ledger cannot be opened, or its connection was lost.',
    remedy: 'Check DATABASE_URL or FEEDFERRY_DATA, and that the database is running.',
  },
  FF_LEDGER_FULL: {
    cause: 'The disk of the ledger is full.',
    remedy: 'Free up disk space, then run the sync again. Nothing is lost or duplicated.',
  },
  FF_LEDGER_DAMAGED: {
    cause: 'The ledger file is damaged, or is not a ledger.',
    remedy: 'Stop feedferry, and restore the last backup: `feedferry restore FILE`',
    exit: 2,
  },
  FF_LEDGER_NEWER: {
    cause: 'The ledger was written by a newer version of feedferry.',
    remedy: 'Install that version or a newer one, or restore a backup from before the update.',
    exit: 2,
  },
  FF_LEDGER_OLDER: {
    cause: 'The ledger was written by a development version from before the first release, and cannot be upgraded.',
    remedy:
      'Set FEEDFERRY_DATA to an empty directory, or DATABASE_URL to an empty database. The next run creates a ledger there, and finds the items in the CMS by `target.externalId` or `adopt`: `feedferry help adopting`',
    exit: 2,
  },
  FF_LEDGER_IN_USE: {
    cause: 'The ledger cannot be restored while another process uses it.',
    remedy: 'Stop `feedferry start`, all workers, consoles and commands, then restore again.',
  },
  FF_BACKUP_FILE: {
    cause: 'The file of a backup or a restore is another file than a backup of this ledger.',
    remedy: 'Name a file that `feedferry backup FILE` has written, or for a backup a file that does not exist yet.',
    exit: 2,
  },
  FF_BACKUP_FAILED: {
    cause: 'The ledger could not be backed up or restored.',
    remedy: 'Correct the reason and try again. The ledger is as it was.',
  },
  FF_BACKUP_TOOL: {
    cause:
      'A PostgreSQL ledger is backed up and restored with pg_dump and pg_restore, and they are not on this machine.',
    remedy: 'Install the client programs of PostgreSQL: `feedferry help ledger`',
  },
  FF_QUEUE_UNAVAILABLE: { cause: 'Redis cannot be reached.', remedy: 'Check REDIS_URL, and that Redis is running.' },
  FF_QUEUE_NEEDS_REDIS: {
    cause: 'This command needs Redis and a shared ledger.',
    remedy: 'Set REDIS_URL. If workers run on several machines, also set DATABASE_URL.',
    exit: 2,
  },

  // CMS
  FF_CMS_UNREACHABLE: {
    cause: 'The CMS cannot be reached.',
    remedy:
      'Check `target.baseUrl` and the network. If the address is on this machine, start the CMS there: `feedferry sandbox`',
  },
  FF_CMS_CONNECTION: {
    cause: 'The connection to the CMS broke before the response was complete.',
    remedy: 'Try again later. If it happens again, check the proxies and firewalls in front of the CMS.',
  },
  FF_CMS_ABORTED: { cause: 'A request to the CMS was cancelled on request.', remedy: 'Run the command again.' },
  FF_CMS_REDIRECT: {
    cause: 'The CMS returned a redirect. It is not followed, so that the token is not sent to another address.',
    remedy: 'Set `target.baseUrl` to the final address of the site.',
  },
  FF_CMS_TIMEOUT: {
    cause: 'The CMS did not respond in time.',
    remedy: 'Try again later. If the site is always slow, allow more time under `target`, for example `timeout: 1m`.',
  },
  FF_CMS_UNAUTHORIZED: {
    cause: 'The CMS did not accept the token (401).',
    remedy:
      'Create a token in the site administration under Settings, API, and set it as CMS_API_TOKEN. If it is right, the CMS may take it in another header: `target.auth`.',
  },
  FF_CMS_BAD_REQUEST: {
    cause: 'The CMS did not understand a request (400).',
    remedy: 'Read the detail, then correct the map.',
  },
  FF_CMS_NOT_FOUND: {
    cause: 'The CMS has no such item or address (404).',
    remedy:
      'The item may have been deleted in the CMS. Otherwise check `target.baseUrl`: the address of the site, without /api/v1.',
  },
  FF_CMS_DELETED: {
    cause: 'The item of a record was deleted in the CMS.',
    remedy:
      'To create it again: `feedferry retry SYNC KEY --recreate`. To create all such items again, write `onDeletedInCms: recreate` in the sync file. To use another item: `feedferry explain SYNC KEY --adopt ID`.',
  },
  FF_CMS_UNSUPPORTED_MEDIA: {
    cause: 'The CMS does not accept the content type (415).',
    remedy: 'Read the detail, then check the type of the file.',
  },
  FF_CMS_UNPROCESSABLE: {
    cause: 'The CMS rejected the values of a record (422).',
    remedy: 'Read the detail, then correct the record in the source or the map.',
  },
  FF_CMS_RATE_LIMITED: {
    cause: 'The CMS received too many requests (429).',
    remedy: 'Send fewer: lower `requestsPerSecond` under `target`.',
  },
  FF_CMS_SERVER: {
    cause: 'The CMS failed (5xx).',
    remedy: 'Try again later. If it happens again, ask the host of the site.',
  },
  FF_CMS_STATUS: {
    cause: 'The CMS returned a status that its API does not define.',
    remedy: 'Check `target.baseUrl`.',
  },
  FF_CMS_RESPONSE: {
    cause: 'The response is not from the API of the CMS, or one of its lists lacks items or keeps changing.',
    remedy: 'Check `target.baseUrl`. For a list, try again later.',
  },
  FF_CMS_INSECURE: {
    cause: '`target.baseUrl` is an http:// address of another machine: the token would be sent unencrypted.',
    remedy: 'Use https://. To accept the risk, write `allowHttp: true` under `target`.',
    exit: 2,
  },
  FF_PLAN_RENAMED: {
    cause:
      'A plan changes nothing, so it takes over no records. It cannot show what becomes of the records of a sync that are to be those of a source (`renamedFrom`), that have several names until then, or that come from several sources if the sync has one now.',
    remedy:
      'Check the source and the names in `renamedFrom`, then run the sync: it takes the records over, and its guards judge the plan before anything is written. From then on, plans show the changes.',
  },
  FF_DESTINATION_CHANGED: {
    cause:
      'The records of a sync were delivered to another site or calendar than the one configured now, or as another resource.',
    remedy:
      'For another site, set another FEEDFERRY_DATA or DATABASE_URL. For another calendar or resource, write another sync file. If the site has moved, write its old address under `target`: `movedFrom: https://old.example.edu`.',
  },
  FF_CMS_NOT_TAKEN: {
    cause:
      'The CMS answered a change as if it had applied it, but the item still has the values from before, or lacks values that other items have.',
    remedy:
      'Check in the CMS whether the item is locked or waits for a review, and whether the token may change these attributes. Then use `feedferry retry SYNC`.',
  },
  FF_CMS_NOT_DELETED: {
    cause:
      'The CMS answered a delete as if it had deleted the item, but still shows the item under its id or in its list.',
    remedy:
      'Check in the CMS whether the item is locked, waits for a review or is in a trash, and whether the token may delete items. Delete it there, or use `feedferry retry SYNC` once the CMS deletes it.',
  },
  FF_CMS_PATCH_REPLACES: {
    cause:
      'The CMS emptied an attribute that a PATCH did not send, as a PUT does. The run was stopped before other items were changed.',
    remedy:
      'Check the item named. Ask the provider of the CMS to make PATCH keep the attributes that it does not name, then run the sync again: each run tests this with as few items as possible.',
  },
  FF_CMS_PAUSED: {
    cause: 'The CMS asked for a pause or failed repeatedly, so feedferry sends no requests for a while.',
    remedy: 'Wait. The next run delivers the rest.',
  },
  FF_CMS_UNAVAILABLE: {
    cause: 'The CMS kept failing after every pause. The records that are not delivered wait for the next run.',
    remedy: 'Check that the site works, then run the sync again.',
  },
  FF_CMS_AMBIGUOUS: {
    cause: 'A create may have reached the CMS, and the CMS does not show whether it did.',
    remedy:
      'Name its item: `feedferry explain SYNC KEY --adopt ID`. Or remove the duplicates in the CMS and use `feedferry retry SYNC`.',
  },
  FF_CMS_UNPROVEN: {
    cause:
      'A create may have reached the CMS, an item seems to be deleted, or the CMS may have new records already, and its list does not prove it: for example, it shows none of the items that it should.',
    remedy:
      'The next run looks again. If the whole run is held and the CMS has none of its new records: `feedferry approve RUN`. If the CMS is well and a record is still held, compare it with the items that are named, then name its item: `feedferry explain SYNC KEY --adopt ID`. If the site has no items left, for example after a purge, add any item in the CMS, which shows that its lists work. Or let feedferry forget the records: `feedferry release SYNC`.',
  },
  FF_CMS_FOREIGN: {
    cause:
      'The CMS has an item of others under the id of a record, for example since it was restored from a backup, or returned another item than the one it was asked for.',
    remedy: 'Restore the items, or name the item of the record: `feedferry explain SYNC KEY --adopt ID`.',
  },
  FF_CMS_EXTERNAL_ID_CUT: {
    cause:
      'The CMS cuts external ids, and would give two records the same one. The second item was not created, or was deleted again at once.',
    remedy:
      'Let the attribute `target.externalId` hold as many characters in the CMS as the message says, then: `feedferry retry SYNC KEY`. Or give the sync a shorter name (`renamedFrom`).',
  },

  // HTTP
  FF_HTTP_OPEN: {
    cause: 'HTTP_HOST opens the HTTP server to other machines without a token.',
    remedy:
      'Set HTTP_TOKENS_FILE, HTTP_TOKEN or HTTP_TOKEN_FILE. Or remove HTTP_HOST, so that only this machine can connect.',
    exit: 2,
  },
  FF_HTTP_LISTEN: {
    cause: 'The HTTP server cannot listen on its address.',
    remedy: 'Choose another HTTP_PORT or HTTP_HOST. Port 0 takes any free port.',
  },
  FF_HTTP_UNAUTHORIZED: {
    cause: 'An HTTP request lacked the correct token, or named a host that is not this machine.',
    remedy:
      'Send a token as bearer token or as the password. If no tokens are configured, connect to 127.0.0.1 or localhost.',
  },
  FF_HTTP_FORBIDDEN: {
    cause: 'The token of an HTTP request, or the log-in, does not allow what was requested.',
    remedy: 'Log in with a token of the role named, or ask someone who has one.',
  },
  FF_HTTP_FORGED: {
    cause: 'A form was sent by another website, or by a page of an earlier session.',
    remedy: 'Go back, reload the page and send the form again. Programs send JSON to /api with a bearer token.',
  },
  FF_HTTP_NOT_FOUND: {
    cause: 'There is nothing at the address of an HTTP request, or nothing that its sender may see.',
    remedy: 'Check the address. If it is right, log in with a token of a role that sees more.',
  },
  FF_HTTP_REQUEST: {
    cause: 'An HTTP request is invalid.',
    remedy: 'Correct the request. `feedferry help http` describes all requests.',
  },
  FF_HTTP_TOO_MANY: {
    cause: 'A client sent too many HTTP requests, or too many wrong tokens.',
    remedy: 'Send fewer requests. The Retry-After header says when to continue.',
  },

  // Alerts
  FF_ALERT_UNSENT: {
    cause: 'An alert could not be sent.',
    remedy: 'Check `alerts.webhook` and `alerts.email`. feedferry tries again.',
  },

  // Other
  FF_SANDBOX_PORT: {
    cause: 'The sandbox cannot listen on that port.',
    remedy: 'If the sandbox is not already running there, choose another port: `--port N`.',
  },
  FF_BUG: { cause: 'An unexpected error occurred.', remedy: 'Please report it together with the log.' },
} satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof table;

/**
 * The codes of records that are held until a person has answered: whether they are the same as others, or whether they are published.
 */
export const codesAnsweredBy = {
  same: ['FF_RECORD_ALIKE', 'FF_KEY_CHANGED', 'FF_KEY_REUSED'],
  distinct: ['FF_RECORD_ALIKE', 'FF_KEY_CHANGED', 'FF_KEY_REUSED'],
  publish: ['FF_RECORD_REVIEW', 'FF_RECORD_RULE'],
  leave: ['FF_RECORD_REVIEW', 'FF_RECORD_RULE'],
} as const satisfies Record<string, readonly ErrorCode[]>;

/** What a person says about a record that is held until then. */
export type RecordAnswer = keyof typeof codesAnsweredBy;

export const recordAnswers = Object.keys(codesAnsweredBy) as [RecordAnswer, ...RecordAnswer[]];

export const errorTable: Readonly<Record<ErrorCode, ErrorEntry>> = table;

/** An error that the user can fix: a code of the table, a message with place and value, and a remedy. */
export class CodedError extends Error {
  override name = 'CodedError';
  readonly code: ErrorCode;
  readonly remedy: string;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; remedy?: string | undefined } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.remedy = options.remedy ?? errorTable[code].remedy;
  }
}

/** A failure that may be over within seconds. */
export class TransientError extends CodedError {
  /** The pause that the server asked for, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; remedy?: string | undefined; retryAfterMs?: number },
  ) {
    super(code, message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Returns the message of any thrown value; messages of Node and OpenSSL about connections in plain words. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, hostname, message } = error as NodeJS.ErrnoException & { hostname?: string };
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return 'the server does not use TLS on this port; correct the port, or use a scheme without TLS (http, redis)';
  }
  if (code === 'ENOTFOUND') return `the host ${hostname ?? ''} is unknown; check its spelling (ENOTFOUND)`;
  if (code === 'EAI_AGAIN') return `the host ${hostname ?? ''} cannot be looked up; check the name server (EAI_AGAIN)`;
  if (code === 'ECONNREFUSED') return `${message}; check the port, and that the server is running`;
  return message;
}

/** Returns any thrown value as a CodedError; an error without a code is a bug. */
export function toCodedError(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  return new CodedError('FF_BUG', messageOf(error), { cause: error });
}

/** Whether the ledger cannot be written until an operator acts: waiting and repeating do not help. */
export function isLedgerFault(error: unknown): error is CodedError {
  return error instanceof CodedError && (error.code === 'FF_LEDGER_FULL' || error.code === 'FF_LEDGER_DAMAGED');
}
