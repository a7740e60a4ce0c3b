import { type Logger, pino } from 'pino';
import type { PrettyOptions } from 'pino-pretty';
import type { CodedError } from '../core/errors.ts';

const REDACTED = ['token', 'password', '*.token', '*.password', 'headers.authorization', '*.headers.authorization'];
/** Clears the line before an entry, because a progress may be shown on that line. */
const CLEAR_LINE = '\r\u001b[K';

/** Creates a log on standard error with one line per entry: readable text on a terminal, JSON elsewhere. */
export async function createLog(level: string): Promise<Logger> {
  const isLevel = level === 'silent' || level in pino.levels.values;
  const options = { level: isLevel ? level : 'info', redact: REDACTED, base: null };
  const stream = process.stderr.isTTY
    ? (await import('pino-pretty')).default({ ...TERMINAL, destination: 2, sync: true })
    : pino.destination({ dest: 2, sync: true });
  return pino(options, stream);
}

const TERMINAL: PrettyOptions = {
  translateTime: 'SYS:HH:MM:ss',
  hideObject: true,
  messageFormat: (entry, messageKey) => describeEntry(entry, String(entry[messageKey] ?? '')),
  customPrettifiers: { time: (time) => `${CLEAR_LINE}[${time}]` },
};

/** Describes an entry in one line: adds sync, key, code and reason unless the message has them. Unexpected errors keep a stack. */
export function describeEntry({ sync, key, code, err }: Record<string, unknown>, message: string): string {
  const subjects = [sync, key].filter((name) => typeof name === 'string' && !message.includes(name));
  const { message: reason = '', stack, ...error } = (err ?? {}) as Partial<CodedError>;
  const cause = message.includes(reason) ? '' : ` ${reason}`;
  const known = typeof code === 'string' && !message.includes(code) ? ` (${code})` : '';
  const trace = stack !== undefined && error.code === undefined ? `\n${stack}` : '';
  return `${subjects.map((subject) => `${subject}: `).join('')}${message}${cause}${known}${trace}`;
}
