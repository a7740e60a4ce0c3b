import { booleanOf, describeValue, describing, pageObject, plainName, type Scalar, type ValueKeys } from './names.ts';

/** One kind of report of an error. */
interface ErrorSign {
  /** The names of the value, or of a list or object that has it. */
  names: string;
  isError(value: Scalar): boolean;
}

/** How an answer reports an error beside its data: one row for each kind of sign. */
const errorSigns = {
  error: {
    names:
      'error errors errorCode errorMessage errorMessages errorDescription errorDetail errorDetails errorInfo errorText errorType error_msg errcode errmsg err odata.error userErrors exception exceptions exceptionMessage fault faults faultString ModelState',
    isError: isFault,
  },
  left: {
    names: 'warning warnings omitted',
    isError: isFault,
  },
  failed: {
    names: 'failed failure failures failedCount failureCount errorCount',
    isError: (value) => (typeof value === 'number' ? value > 0 : isFault(value)),
  },
  status: {
    names:
      'status statusCode statusText state stat result outcome responseCode httpStatus httpStatusCode httpCode code',
    isError: (value) => value === false || isFailureText(String(value).trim()) || isErrorStatus(value),
  },
  success: {
    names: 'success successful isSuccess isSuccessful succeeded ok',
    isError: (value) => booleanOf(value) === false || value === 0,
  },
  flag: {
    names: 'isError hasError hasErrors timedOut terminatedEarly',
    isError: (value) => booleanOf(value) === true,
  },
  message: {
    names: 'message msg detail remark notice',
    isError: (value) => typeof value === 'string' && aboutError.test(value) && !aboutNoError.test(value),
  },
} satisfies Record<string, ErrorSign>;

type Kind = keyof typeof errorSigns;

const kindByName = new Map<string, Kind>(
  Object.entries(errorSigns).flatMap(([kind, { names }]) =>
    names.split(' ').map((name) => [plainName(name), kind as Kind] as const),
  ),
);

const isFailure =
  /^(?:err|ko|nok|partial|partial[ _-]?(?:success|content)|over_query_limit|invalid_request)$|(?:error|errors|exception|fail|failed|failure|fault|timeout|timed[ _-]?out|denied|forbidden|unauthori[sz]ed|unavailable|exceeded|incomplete|not[ _-]?ok)$/i;
const isNoFailure = /^(?:no|non|zero)[ _-]/i;
const isFine =
  /^(ok|okay|success|successful|succeeded|none|null|no|false|n\/?a|0+|2\d\d|no[ _-](error|problem|failure|warning)s?\.?)?$/i;
const aboutError =
  /\b(error|exception|fail(ed|ure)?|denied|forbidden|unauthori[sz]ed|unavailable|tim(ed|e)[ -]?out|throttled|rate limit|limit exceeded|exceeded|truncated|incomplete|could not be|cannot be)\b/i;
const aboutNoError = /\b(?:no|without|0|zero) (?:\w{1,20} )?(?:errors?|exceptions?|failures?|problems?)\b/i;

/** Members of an error that describe it for people. */
const describingMember = /^(message|msg|detail|details|title|description|reason|value|text|userTitle|statusText)$/i;

/** Kinds that may be lists and objects. */
const listKinds: ReadonlySet<Kind> = new Set(['error', 'left', 'failed']);

const reportNames = ['error', 'errors', 'Error', 'Errors', 'exception', 'fault', 'odata.error'];

/** Longest list of reports that is kept. */
const MAX_REPORTS = 20;

/** A report of an error beside the items. */
interface Report {
  /** The keys of the value that has the name of an error. */
  at: ValueKeys;
  kind: Kind;
  text: string;
  isDescription: boolean;
}

/** Collects the reports of errors in one answer. */
export function createErrorReports() {
  const reports: Report[] = [];
  let isSuccess = false;
  return { note, first };

  /** Notes a value beside the items. */
  function note(keys: ValueKeys, value: Scalar): void {
    const at = placeOfName(keys);
    const kind = at && kindByName.get(plainName(at.at(-1) ?? ''));
    if (!at || kind === undefined) return;
    const { isError } = errorSigns[kind];
    if (!isError(value)) {
      isSuccess ||= at.length <= 2 && isSuccessValue(kind, value);
      return;
    }
    const report = {
      at,
      kind,
      text: describeValue(keys, value),
      isDescription: describingMember.test(String(keys.at(-1))),
    };
    const known = reports.findIndex((one) => one.at.join('.') === at.join('.'));
    if (known < 0 && reports.length < MAX_REPORTS) reports.push(report);
    else if (known >= 0 && report.isDescription && !reports[known]?.isDescription) reports[known] = report;
  }

  /**
   * Returns the first report that is about the answer.
   * @param itemKeys the place of the items: what is on the way to them is part of the answer
   */
  function first(itemKeys: ValueKeys = []): string | undefined {
    return reports.find(({ at, kind }) => {
      if (kind === 'message' && isSuccess) return false;
      const holders = at.slice(0, -1);
      return holders.every((key, index) => key === itemKeys[index] || isHolder(key));
    })?.text;
  }
}

/** Whether a name is that of errors: a list with it has no records. */
export function isErrorName(name: string | number): boolean {
  return kindByName.get(plainName(name)) === 'error';
}

/** Returns true for a record that is only a report of an error: `{ "error": { "code": 500 } }`, as streams end with it. */
export function isErrorReport(fields: Readonly<Record<string, unknown>>): boolean {
  // Most records have none of these, and are many.
  if (!reportNames.some((name) => Object.hasOwn(fields, name))) return false;
  const names = Object.keys(fields);
  const about =
    /^(code|detail|details|documentationurl|extensions|level|message|msg|path|requestid|status|statuscode|success|timestamp|title|traceid|type)$/;
  return (
    names.some((name) => isErrorName(name) && hasFault(fields[name])) &&
    names.every((name) => isErrorName(name) || about.test(plainName(name)))
  );
}

/** Returns the keys up to the name of an error; a name inside an error is no name of its own. */
function placeOfName(keys: ValueKeys): ValueKeys | undefined {
  const index = keys.findIndex((key) => {
    const kind = kindByName.get(plainName(key));
    return typeof key === 'string' && kind !== undefined && listKinds.has(kind);
  });
  if (index >= 0) return keys.slice(0, index + 1);
  const last = keys.at(-1);
  const isMember = typeof last === 'string' && keys.every((key) => typeof key === 'string');
  return isMember && kindByName.has(plainName(last)) ? keys : undefined;
}

function isHolder(key: string | number): boolean {
  const name = plainName(key);
  return typeof key === 'string' && (describing.test(name) || pageObject.test(name) || name === 'shards');
}

function isSuccessValue(kind: Kind, value: Scalar): boolean {
  if (kind === 'success') return booleanOf(value) === true || value === 1;
  return kind === 'status' && (value === 200 || /^(ok|okay|success|succeeded|200)$/i.test(String(value)));
}

function isFault(value: Scalar): boolean {
  if (typeof value === 'number') return value !== 0 && Math.trunc(value / 100) !== 2;
  return typeof value === 'string' ? !isFine.test(value.trim()) : value === true;
}

function isFailureText(text: string): boolean {
  return text.length <= 60 && isFailure.test(text) && !isNoFailure.test(text);
}

function isErrorStatus(value: Scalar): boolean {
  return /^[45]\d\d$/.test(String(value));
}

function hasFault(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasFault);
  return isFault(value as Scalar);
}
