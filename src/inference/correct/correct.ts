import { parse } from 'yaml';
import { CodedError } from '../../core/errors.ts';
import { nearest } from '../../core/suggest.ts';
import { type Corrections, isAttributeLine } from './corrections.ts';

/** A correction of one line, with its value as in a sync file, or the answer to a question. */
export type Correction = { line: string; value: unknown } | { question: string; value: string };

const MOST_SHOWN = 20;
/** Names of lines: `title`, `time.start`, `source.header.line`. */
const lineName = /^[\w-]+(\.[\w-]+)*$/;

/**
 * Reads a correction as a person writes it: `start: [Datum, Uhrzeit]`, `location: { field: Ort, trim: true }`, `endDate: null`; or, shorter,
 * `start=Datum, Uhrzeit` and `endDate=`.
 * @throws CodedError FF_USAGE if it is not a name, a colon or an equals sign, and a value
 */
export function parseCorrection(text: string): Correction {
  const [, given = '', sign, written = ''] = /^([^:=]*)([:=])(.*)$/s.exec(text) ?? [];
  const name = given.trim().replace(/^map\./, '');
  if (name === '') {
    const remedy =
      'Write a line of the sync file: `--set "start: [Datum, Uhrzeit]"`, or `--set "location: null"` to leave it out.';
    throw new CodedError('FF_USAGE', `"${text}" is not a line with a value.`, { remedy });
  }
  // Only the names of questions have blanks: `order of dates: day first`.
  if (/\s/.test(name)) return { question: name, value: written.trim() };
  const isList = sign === '=' && /^[^"'[{]+,/.test(written);
  return { line: name, value: isList ? written.split(',').map((field) => field.trim()) : readValue(written) };
}

/** Reads a value as YAML; a text that is not YAML, such as a name of a field with brackets, is meant as it is. */
export function readValue(written: string): unknown {
  try {
    return parse(written) ?? null;
  } catch {
    return written.trim();
  }
}

/**
 * Adds a correction; a later one of the same line replaces it.
 * @param paths the fields of the feed
 * @throws CodedError FF_USAGE if the line cannot exist, or if it names fields that the feed does not have
 */
export function correct(corrections: Corrections, correction: Correction, paths: readonly string[]): Corrections {
  const { answers, lines } = corrections;
  if ('question' in correction) return { lines, answers: { ...answers, [correction.question]: correction.value } };
  const { line, value } = correction;
  if (!lineName.test(line)) throw new CodedError('FF_USAGE', `"${line}" cannot be a line of a sync file.`);
  const fields = isAttributeLine(line) || line === 'key' ? [value].flat() : [];
  for (const field of fields) if (typeof field === 'string') checkField(line, field, paths);
  if (fields.some((field) => !isFieldOrRule(field, fields.length))) {
    const remedy = `Write a field, a list of fields, a rule such as { value: Concert }, or null to leave ${line} out.`;
    throw new CodedError('FF_USAGE', `${line}: ${JSON.stringify(value)} is neither a field nor a rule.`, { remedy });
  }
  return { answers, lines: { ...lines, [line]: value } };
}

/** Takes the correction of a line back. */
export function withoutCorrection({ answers, lines }: Corrections, line: string): Corrections {
  return {
    answers: Object.fromEntries(Object.entries(answers).filter(([id]) => id !== line)),
    lines: Object.fromEntries(Object.entries(lines).filter(([name]) => name !== line)),
  };
}

function isFieldOrRule(value: unknown, count: number): boolean {
  if (typeof value === 'string') return true;
  return count === 1 && typeof value === 'object' && !Array.isArray(value);
}

function checkField(line: string, field: string, paths: readonly string[]): void {
  if (paths.includes(field)) return;
  const meant = nearest(field, paths);
  const shown = paths.slice(0, MOST_SHOWN).join(', ');
  throw new CodedError('FF_USAGE', `${line}: the feed has no field "${field}".`, {
    remedy: meant === undefined ? `Its fields are ${shown}.` : `Did you mean "${meant}"? The fields are ${shown}.`,
  });
}
