import type { YAMLError } from 'yaml';

/** Messages that replace those of the parser, which use terms of the YAML grammar. */
const plainMessages: Partial<Record<YAMLError['code'], string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'the next line is indented too far, or a value contains ": " and needs quotes',
  DUPLICATE_KEY: 'this key appears twice',
  MULTIPLE_DOCS: 'the file may contain only one document, so only one line ---',
  MULTILINE_IMPLICIT_KEY: 'this line is not "key: value"; is the colon or the space after it missing?',
  TAB_AS_INDENT: 'lines must be indented with spaces, not with tabs',
  UNEXPECTED_TOKEN: 'this is not valid here; if it belongs to a value, put the whole value in quotes',
};

/** Mistakes that are not caused by a value on the line. */
const unrelated = new Set<YAMLError['code']>(['DUPLICATE_KEY', 'MULTIPLE_DOCS', 'TAB_AS_INDENT']);

/**
 * Returns what is wrong with a line, and what to write instead, if one of the usual causes is recognised.
 * @param line the line with masked secrets
 */
export function causeOf(line: string, code: YAMLError['code'], message: string): string {
  const cause = unrelated.has(code) ? undefined : (usualCause(line) ?? keyCause(line, code));
  return cause ?? plainMessages[code] ?? message;
}

/** Recognises values that YAML reads in another way than the user meant. */
export function usualCause(line: string): string | undefined {
  const [, key, template] = /([\w.-]+):\s+(\{\{.*\}\})/.exec(line) ?? [];
  if (template !== undefined) return `a template needs quotes: write ${key}: { template: "${template}" }`;
  const [, starred, value] = /([\w.-]+):\s+([*&@%`|>][^"{}]*?)\s*(?:\}\s*)?$/.exec(line) ?? [];
  if (value !== undefined && starred !== undefined) {
    return `a value that starts with ${value.charAt(0)} needs quotes: write ${starred}: "${value}"`;
  }
  const [variable] = /(?<=[{[].*[:,[]\s*)\$\{\w+\}/.exec(line) ?? [];
  return variable === undefined ? undefined : `a variable between braces or brackets needs quotes: write "${variable}"`;
}

function keyCause(line: string, code: YAMLError['code']): string | undefined {
  if (code !== 'MULTILINE_IMPLICIT_KEY') return undefined;
  const [, key, mark, value] = /^[\s-]*([\w.-]+)(:(?=\S)|\s+)(\S.*)$/.exec(line) ?? [];
  if (key === undefined) return undefined;
  const missing = mark === ':' ? 'the space after the colon' : 'the colon';
  return `${missing} is missing: write ${key}: ${value}`;
}
