import { type Logger, pino } from 'pino';

const REDACTED = ['token', 'password', '*.token', '*.password', 'headers.authorization', '*.headers.authorization'];

/** Logs go to standard error: readable on a terminal, JSON lines elsewhere. */
export async function createLog(level: string): Promise<Logger> {
  const isLevel = level === 'silent' || level in pino.levels.values;
  const options = { level: isLevel ? level : 'info', redact: REDACTED, base: null };
  const stream = process.stderr.isTTY
    ? (await import('pino-pretty')).default({
        destination: 2,
        sync: true,
        translateTime: 'SYS:HH:MM:ss',
        ignore: 'pid,hostname',
      })
    : pino.destination({ dest: 2, sync: true });
  return pino(options, stream);
}
