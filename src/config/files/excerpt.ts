import type { Position } from './config-file.ts';

export const secretName = /token|bearer|password|passwd|secret|authorization|cookie|api-?key/i;

/** Names after which an excerpt is masked. These are more than `secretName`, because an excerpt shows more than one value. */
const maskedAfter = new RegExp(`${secretName.source}|[-_]key|headers|query|webhook`, 'i');

const LONGEST = 70;

/** Returns a line of a config file with a caret below a column, both indented. Values that may be secret are masked. */
export function excerptOf(text: string, { line, column }: Position): string {
  const shown = shownLine(text, line);
  const start = Math.max(0, Math.min(column - 1 - LONGEST / 2, shown.length - LONGEST));
  const caret = `${' '.repeat(column - 1 - start)}^`;
  return `\n    ${shown.slice(start, start + LONGEST).trimEnd()}\n    ${caret}`;
}

/** Returns a line in which possible secrets are masked, so that every other character keeps its column. */
export function shownLine(text: string, line: number): string {
  const lines = text.split(/\r?\n/);
  const shown = (lines[line - 1] ?? '').replaceAll('\t', ' ').replace(/(?<=:\/\/)\S+/g, stars);
  const above = lines.slice(0, line - 1).findLast((each) => each.trim() !== '');
  // A secret may be on the line below its key.
  if (above !== undefined && maskedAfter.test(above)) return masked(shown);
  const [name] = maskedAfter.exec(shown) ?? [];
  if (name === undefined) return shown;
  const end = shown.search(maskedAfter) + name.length;
  return shown.slice(0, end) + masked(shown.slice(end));
}

/** Masks all words except references to variables and the names of secrets. */
function masked(text: string): string {
  return text.replace(/\$\{\w+\}|[^\s:{}[\],"']+/g, (word) => (kept.test(word) ? word : stars(word)));
}

const kept = /^(\$\{\w+\}|token|bearer|user|password|secret)$/;

function stars(text: string): string {
  return '•'.repeat(text.length);
}
