import { styleText } from 'node:util';
import { type Logger, pino } from 'pino';
import type { CodedError } from '../core/errors.ts';

const REDACTED = ['token', 'password', '*.token', '*.password', 'headers.authorization', '*.headers.authorization'];
/** Clears the line before an entry, because a progress may be shown on that line. */
const CLEAR_LINE = '\r\u001b[K';
const colors = { warn: 'yellow', error: 'red', fatal: 'red' } as const;

/**
 * Creates a log on standard error with one line per entry: JSON for services whose standard error is no terminal, because programs
 * read their logs; text for people otherwise.
 */
export function createLog(level: string, { isService }: { isService: boolean }): Logger {
  const isLevel = level === 'silent' || level in pino.levels.values;
  const options = { level: isLevel ? level : 'info', redact: REDACTED, base: null };
  const isText = process.stderr.isTTY || !isService;
  return pino(options, isText ? { write: writeText } : pino.destination({ dest: 2, sync: true }));
}

function writeText(line: string): void {
  const { time, level, msg, ...entry } = JSON.parse(line) as { time: number; level: number; msg?: string };
  const name = pino.levels.labels[level] ?? 'info';
  const shown = styleText(colors[name as keyof typeof colors] ?? 'green', name.toUpperCase(), {
    stream: process.stderr,
  });
  const clock = new Date(time).toTimeString().slice(0, 8);
  const start = process.stderr.isTTY ? CLEAR_LINE : '';
  process.stderr.write(`${start}[${clock}] ${shown}: ${describeEntry(entry, msg ?? '')}\n`);
}

/** Describes an entry in one line: adds sync, key, code and reason unless the message has them. Unexpected errors keep a stack. */
export function describeEntry({ sync, key, code, err }: Record<string, unknown>, message: string): string {
  const subjects = [sync, key].filter((name) => typeof name === 'string' && !message.includes(name));
  const { message: reason = '', stack, ...error } = (err ?? {}) as Partial<CodedError>;
  const cause = message.includes(reason) ? '' : ` ${reason}`;
  const known = typeof code === 'string' && !message.includes(code) ? ` (${code})` : '';
  const trace = stack !== undefined && error.code === undefined ? `\n${stack}` : '';
  return `${subjects.map((subject) => `${subject}: `).join('')}${message}${cause}${known}${trace}`;
}
