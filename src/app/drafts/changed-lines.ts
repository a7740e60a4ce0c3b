import { diffLines } from 'diff';
import { shownText } from './shown-text.ts';

/** A file of a config folder before and after an edit; a text is absent where there is no file. */
export interface FileEdit {
  /** Path from the folder, such as `syncs/talks.yaml`. */
  path: string;
  before?: string | undefined;
  after?: string | undefined;
}

/** Lists the lines that edits remove and add, with the secrets of the files hidden. */
export function changedLines(edits: readonly FileEdit[]): string {
  return edits.map(({ path, before, after }) => [`${path}:`, ...linesOf(before, after), ''].join('\n')).join('\n');
}

function linesOf(before: string | undefined, after: string | undefined): string[] {
  const hide = (text: string | undefined) => (text === undefined ? '' : (shownText(text) ?? ''));
  return diffLines(hide(before), hide(after)).flatMap(({ added, removed, value }) => {
    if (!added && !removed) return [];
    const lines = value.replace(/\r?\n$/, '').split(/\r?\n/);
    return lines.map((line) => `${added ? '+' : '-'}${line}`);
  });
}
