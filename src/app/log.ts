import { type Logger, pino } from 'pino';
import type { PrettyOptions } from 'pino-pretty';
import type { CodedError } from '../core/errors.ts';

const REDACTED = ['token', 'password', '*.token', '*.password', 'headers.authorization', '*.headers.authorization'];
/** A progress may be shown on the line where the log goes on. */
const CLEAR_LINE = '\r\u001b[K';

/** Logs go to standard error: one line each, for people on a terminal, as JSON elsewhere. */
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

/** Describes an entry in one line, with what its message leaves out of these; an unexpected error has its stack. */
export function describeEntry({ sync, key, code, err }: Record<string, unknown>, message: string): string {
  const subjects = [sync, key].filter((name) => typeof name === 'string' && !message.includes(name));
  const { message: reason = '', stack, ...error } = (err ?? {}) as Partial<CodedError>;
  const cause = message.includes(reason) ? '' : ` ${reason}`;
  const known = typeof code === 'string' && !message.includes(code) ? ` (${code})` : '';
  const trace = stack !== undefined && error.code === undefined ? `\n${stack}` : '';
  return `${subjects.map((subject) => `${subject}: `).join('')}${message}${cause}${known}${trace}`;
}
