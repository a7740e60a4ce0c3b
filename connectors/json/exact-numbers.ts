import { Tokenizer } from '@streamparser/json';

/** Containers deeper than this are no data that anybody maps; a hostile feed nests millions. */
export const MAX_DEPTH = 200;

/** An integer that JavaScript would round stays as it is written, as a string: two large ids never become one. */
export function exactNumber(text: string): number | string {
  const value = Number(text);
  const exact = /[.eE]/.test(text) ? Number.isFinite(value) : Number.isSafeInteger(value);
  return exact ? value : text;
}

/** Tokens of JSON text that comes in pieces, with exact numbers. */
export class ExactTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    // The library passes on what this returns; its type knows numbers only.
    return exactNumber(text) as number;
  }
}

/**
 * Parses a whole JSON text (RFC 8259), with exact numbers.
 * @throws SyntaxError, also for what is nested too deeply; its message fits on a line.
 */
export function parseExactly(text: string): unknown {
  const value = parse(text);
  if (isDeeper(value, MAX_DEPTH)) throw new SyntaxError(`it is nested more than ${MAX_DEPTH} levels deep`);
  return value;
}

function parse(text: string): unknown {
  try {
    // Only such texts can hold a number that is not exact; to look at each value is slow.
    return /\d{16}|[eE][+-]?\d{3}/.test(text) ? JSON.parse(text, keepExact) : JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(error.message.replace(/\p{Cc}/gu, '?').slice(0, 200), { cause: error });
  }
}

function keepExact(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? exactNumber(context.source) : value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeper(child, levels - 1));
}
