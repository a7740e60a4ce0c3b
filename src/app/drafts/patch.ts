import { createHash } from 'node:crypto';
import { applyPatch, formatPatch, parsePatch, reversePatch, structuredPatch } from 'diff';
import { shownText } from './shown-text.ts';

const NONE = '/dev/null';
/** Mode of a new file, as Git writes it. */
const MODE = '100644';

/** A file of a config folder before and after an edit; a text is absent where there is no file. */
export interface FileEdit {
  /** Path from the folder, such as `syncs/talks.yaml`. */
  path: string;
  before?: string | undefined;
  after?: string | undefined;
}

/**
 * Writes edits as a patch that `git apply` understands. Its lines `index` name the whole files before and after, as Git does.
 * @param context number of unchanged lines around each change
 * @param folder stands before each path
 */
export function asPatch(edits: readonly FileEdit[], options: PatchOptions = {}): string {
  return edits.map((edit) => partOf(edit, edit, options)).join('');
}

interface PatchOptions {
  context?: number;
  folder?: string;
}

/** @param shown the texts in which the lines of the patch are */
function partOf(
  { path, before, after }: FileEdit,
  shown: Pick<FileEdit, 'before' | 'after'>,
  { context = 3, folder = '' }: PatchOptions,
): string {
  const place = folder === '' ? path : `${folder}/${path}`;
  const from = before === undefined ? NONE : `a/${place}`;
  const to = after === undefined ? NONE : `b/${place}`;
  const patch = formatPatch({
    ...structuredPatch(from, to, shown.before ?? '', shown.after ?? '', undefined, undefined, { context }),
    isGit: true,
    ...(before === undefined && { isCreate: true, newMode: MODE }),
    ...(after === undefined && { isDelete: true, oldMode: MODE }),
  });
  const isChange = before !== undefined && after !== undefined;
  const index = `index ${blobOf(before)}..${blobOf(after)}${isChange ? ` ${MODE}` : ''}`;
  return patch.replace(/^--- /m, () => `${index}\n--- `);
}

/** The name that Git gives to the content of a file. */
function blobOf(text: string | undefined): string {
  if (text === undefined) return '0'.repeat(40);
  const bytes = Buffer.from(text);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Writes edits as people see them, and as the history keeps them: with the secrets of the files hidden. */
export function shownPatch(edits: readonly FileEdit[], options: PatchOptions = {}): string {
  const hide = (text: string | undefined) => (text === undefined ? undefined : (shownText(text) ?? ''));
  const part = (edit: FileEdit) => partOf(edit, { before: hide(edit.before), after: hide(edit.after) }, options);
  return edits.map(part).join('');
}

/**
 * Returns the edits that take a patch of the history back.
 * @param read returns the present text of a file; undefined if there is none
 * @returns undefined if a file is no longer as the edit has left it, or if the patch lacks what it would restore
 */
export function editsBack(patch: string, read: (path: string) => string | undefined): FileEdit[] | undefined {
  const names = [...patch.matchAll(/^index (\w+)\.\.(\w+)/gm)];
  const edits: FileEdit[] = [];
  for (const [place, part] of parsePatch(patch).entries()) {
    const path = pathIn(part.newFileName) ?? pathIn(part.oldFileName);
    const [, former, left] = names[place] ?? [];
    if (path === undefined) return undefined;
    const before = read(path);
    if (blobOf(before) !== left) return undefined;
    const restored = part.isCreate ? undefined : applyPatch(before ?? '', reversePatch(part), { fuzzFactor: 0 });
    // The patch has no secrets, so it may restore another text than the former one.
    if (restored === false || blobOf(restored) !== former) return undefined;
    edits.push({ path, before, after: restored });
  }
  return edits;
}

/** Returns the path in a header of a patch, if it is the file of a sync or of its tests. */
function pathIn(header: string | undefined): string | undefined {
  return /^[ab]\/((?:syncs|tests)\/\w[\w.-]*\.ya?ml)$/.exec(header ?? '')?.[1];
}
