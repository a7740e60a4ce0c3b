import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { connectors } from '../../../connectors/index.ts';
import { checkSyncText } from '../../config/load.ts';
import { CodedError, messageOf } from '../../core/errors.ts';
import { hashJson } from '../../core/hash.ts';
import type { Deed } from '../../ledger/attempts/deeds.ts';
import type { Actor } from '../actions/action.ts';
import type { App } from '../app.ts';
import type { Environment } from '../environment.ts';
import { changedLines, type FileEdit } from './changed-lines.ts';
import { shownText } from './shown-text.ts';

/** A file as it was before an edit, as the history keeps it. */
interface FormerFile {
  path: string;
  /** Absent: there was no file, or its text has secrets, which are not kept. */
  before?: string | undefined;
  hasSecrets: boolean;
  /** Hash of the text that the edit has left. */
  left: string;
}

/**
 * Writes the files of syncs for people in a browser. Each edit is in the history with the name of the person and its lines, and can be
 * taken back.
 * @param app returns the app of the config in force
 * @param readAgain puts the files in force
 * @throws CodedError FF_USAGE if the config folder cannot be written
 */
export function createFileEdits(
  app: () => Pick<App, 'config' | 'ledger'>,
  { configDir, variables }: Pick<Environment, 'configDir' | 'variables'>,
  readAgain: () => Promise<void>,
) {
  checkWritable(configDir);
  return { save, takeBack, editsOf, hasFile };

  /**
   * Writes files, if they are still as they were before the edit.
   * @param sync the sync to which they belong
   * @throws CodedError FF_EDIT_CHANGED if another person or program has changed one of them, FF_EDIT_IMPOSSIBLE if they cannot be written
   */
  async function save(sync: string, edits: readonly FileEdit[], { name: by, via }: Actor, reason?: string) {
    if (edits.length === 0) throw new CodedError('FF_NOTHING_TO_DO', `Nothing about "${sync}" was changed.`);
    for (const { path, before } of edits) if (read(path) !== before) throw changedSince(path);
    writeAll(edits);
    try {
      await app().ledger.history.addDeed(
        { deed: 'edit', sync, by, via, reason, patch: changedLines(edits) },
        formerFiles(edits),
      );
    } catch (error) {
      // No edit without its entry in the history.
      writeAll(edits.map(({ path, before, after }) => ({ path, before: after, after: before })));
      throw error;
    }
    await readAgain();
  }

  /**
   * Takes an edit back, if its files are still as it has left them.
   * @param at when the edit was made, an ISO instant
   * @throws CodedError FF_HTTP_NOT_FOUND, FF_EDIT_CHANGED, FF_EDIT_IMPOSSIBLE for the file of a sync that has published something;
   * ConfigError if the file would not be valid
   */
  async function takeBack(sync: string, at: string, actor: Actor): Promise<void> {
    const { config, ledger } = app();
    const former = await ledger.history.formerOf(sync, at);
    if (former === undefined) throw new CodedError('FF_HTTP_NOT_FOUND', `"${sync}" has no such edit.`);
    const edits = (JSON.parse(former) as FormerFile[]).map(({ path, before: after, hasSecrets, left }): FileEdit => {
      const before = read(path);
      if (hashJson(before ?? null) !== left) throw changedSince(path);
      if (hasSecrets)
        throw new CodedError('FF_EDIT_IMPOSSIBLE', `${path} had secrets, which the history does not keep.`);
      return { path, before, after };
    });
    for (const { path, after } of edits) {
      if (!path.startsWith('syncs/')) continue;
      if (after === undefined) await refuseIfUsed(sync);
      else checkSyncText(absolute(path), after, connectors, config.target, variables);
    }
    await save(sync, edits, actor, `takes back the edit of ${at}`);
  }

  /** Lists the edits of a sync, the newest first; also those of a sync whose file was removed. */
  async function editsOf(sync: string): Promise<Deed[]> {
    const deeds = await app().ledger.history.deeds({ sync });
    return deeds.filter(({ deed }) => deed === 'edit');
  }

  /** Whether a sync has a file now, whether or not it is in force yet. */
  function hasFile(sync: string): boolean {
    return ['yaml', 'yml', 'ts'].some((ending) => existsSync(absolute(`syncs/${sync}.${ending}`)));
  }

  async function refuseIfUsed(sync: string): Promise<void> {
    for await (const _ of app().ledger.records.each(sync)) {
      throw new CodedError('FF_EDIT_IMPOSSIBLE', `"${sync}" has published items, so its file is kept.`, {
        remedy: 'Pause the sync, or delete what it has created first.',
      });
    }
  }

  function absolute(path: string): string {
    return join(configDir, path);
  }

  function read(path: string): string | undefined {
    try {
      return readText(absolute(path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  function write({ path, before, after }: FileEdit): void {
    if (after === undefined) rmSync(absolute(path));
    else replaceFile(absolute(path), after, before !== undefined);
  }

  /** Writes all files or none: a part of them would be in force although the person is told that nothing was saved. */
  function writeAll(edits: readonly FileEdit[]): void {
    const written: FileEdit[] = [];
    try {
      for (const edit of edits) {
        write(edit);
        written.push(edit);
      }
    } catch (error) {
      for (const { path, before, after } of written.reverse()) write({ path, before: after, after: before });
      const message = `The config folder cannot be written: ${messageOf(error)}.`;
      throw new CodedError('FF_EDIT_IMPOSSIBLE', message, { cause: error });
    }
  }
}

function formerFiles(edits: readonly FileEdit[]): string {
  const files = edits.map(({ path, before, after }): FormerFile => {
    const hasSecrets = before !== undefined && shownText(before) !== before;
    return { path, before: hasSecrets ? undefined : before, hasSecrets, left: hashJson(after ?? null) };
  });
  return JSON.stringify(files);
}

/**
 * Reads the text of a file that may be written again, with its byte order mark.
 * @throws CodedError FF_EDIT_IMPOSSIBLE if it is not UTF-8: what cannot be read would be lost
 */
export function readText(path: string): string {
  const bytes = readFileSync(path);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new CodedError('FF_EDIT_IMPOSSIBLE', `${basename(path)} is not UTF-8, so parts of it would be lost.`, {
      cause: error,
      remedy: 'Save it as UTF-8 in an editor.',
    });
  }
}

function checkWritable(configDir: string): void {
  try {
    accessSync(existsSync(join(configDir, 'syncs')) ? join(configDir, 'syncs') : configDir, constants.W_OK);
  } catch (error) {
    const message = `HTTP_EDIT lets people save syncs, but ${configDir} cannot be written.`;
    throw new CodedError('FF_USAGE', message, {
      cause: error,
      remedy: 'Let feedferry write the folder, or set HTTP_EDIT=draft.',
    });
  }
}

/** Replaces a file at once, so that nobody reads a part of it. Symbolic links, permissions and, where possible, the owner stay. */
function replaceFile(path: string, text: string, exists: boolean): void {
  mkdirSync(dirname(path), { recursive: true });
  const target = exists ? realpathSync(path) : path;
  // Names with a leading dot are not files of syncs.
  const next = join(dirname(target), `.${basename(target)}.${process.pid}`);
  if (!exists) writeFileSync(next, text);
  else {
    const { mode, uid, gid } = statSync(target);
    // A read-only file is meant to stay as it is, even if its folder can be written.
    accessSync(target, constants.W_OK);
    if ((mode & 0o222) === 0) throw new Error(`${basename(target)} is read-only`);
    writeFileSync(next, text, { mode });
    if (process.getuid?.() === 0) chownSync(next, uid, gid);
  }
  renameSync(next, target);
}

function changedSince(what: string): CodedError {
  return new CodedError('FF_EDIT_CHANGED', `${what} has changed since.`);
}
