import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

const REDACTED = ['token', 'password', '*.token', '*.password', 'headers.authorization', '*.headers.authorization'];

/** Logs go to standard error: readable on a terminal, JSON lines elsewhere. */
export function createLog(level: string): Logger {
  const isLevel = level === 'silent' || level in pino.levels.values;
  const options = { level: isLevel ? level : 'info', redact: REDACTED, base: null };
  const stream = process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' })
    : pino.destination({ dest: 2, sync: true });
  return pino(options, stream);
}
