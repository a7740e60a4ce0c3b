import { applyPatch, formatPatch, parsePatch, reversePatch, type StructuredPatch, structuredPatch } from 'diff';
import { MASK, shownText } from './shown-text.ts';

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
 * Writes edits as a patch that `git apply` understands.
 * @param context number of unchanged lines around each change
 * @param folder stands before each path
 */
export function asPatch(edits: readonly FileEdit[], { context = 3, folder = '' } = {}): string {
  const patches = edits.map(({ path, before, after }) => {
    const place = folder === '' ? path : `${folder}/${path}`;
    const from = before === undefined ? NONE : `a/${place}`;
    const to = after === undefined ? NONE : `b/${place}`;
    return {
      ...structuredPatch(from, to, before ?? '', after ?? '', undefined, undefined, { context }),
      isGit: true,
      ...(before === undefined && { isCreate: true, newMode: MODE }),
      ...(after === undefined && { isDelete: true, oldMode: MODE }),
    };
  });
  return formatPatch(patches.filter(({ hunks }) => hunks.length > 0));
}

/** Writes edits as people see them, and as the history keeps them: with the secrets of the files hidden. */
export function shownPatch(edits: readonly FileEdit[], options: Parameters<typeof asPatch>[1] = {}): string {
  const hide = (text: string | undefined) => (text === undefined ? undefined : (shownText(text) ?? ''));
  return asPatch(
    edits.map(({ path, before, after }) => ({ path, before: hide(before), after: hide(after) })),
    options,
  );
}

/**
 * Returns the edits that take a patch of the history back.
 * @param read returns the present text of a file; undefined if there is none
 * @returns undefined if a file has changed since at lines of the patch or before them, or if the patch lacks what it would restore
 */
export function editsBack(patch: string, read: (path: string) => string | undefined): FileEdit[] | undefined {
  const edits: FileEdit[] = [];
  for (const part of parsePatch(patch)) {
    const path = pathIn(part.newFileName) ?? pathIn(part.oldFileName);
    if (path === undefined) return undefined;
    const after = part.isCreate ? undefined : formerText(part, read(path) ?? '');
    if (after === undefined && !part.isCreate) return undefined;
    edits.push({ path, before: read(path), after });
  }
  // Lines without context may also be found at another place.
  const forth = edits.map(({ path, before, after }) => ({ path, before: after, after: before }));
  return shownPatch(forth, { context: 0 }) === patch ? edits : undefined;
}

function formerText(part: StructuredPatch, text: string): string | undefined {
  if (part.hunks.some(({ lines }) => lines.some((line) => line.includes(MASK)))) return undefined;
  return applyPatch(text, reversePatch(part), { fuzzFactor: 0 }) || undefined;
}

/** Returns the path in a header of a patch, if it is the file of a sync or of its tests. */
function pathIn(header: string | undefined): string | undefined {
  return /^[ab]\/((?:syncs|tests)\/\w[\w.-]*\.ya?ml)$/.exec(header ?? '')?.[1];
}
