import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import { readTargetSecrets } from '../../config/load.ts';
import { syncNamed } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import { type Correction, correct, withoutCorrection } from '../../inference/correct/correct.ts';
import { type Corrections, NO_CORRECTIONS } from '../../inference/correct/corrections.ts';
import { fieldPaths } from '../../inference/review/review.ts';
import { renamedIn } from '../../inference/written/correct-written.ts';
import type { WrittenSync } from '../../inference/written/written-sync.ts';
import type { OpenSample } from '../../source/sample/sample-feed.ts';
import type { App } from '../app.ts';
import type { Environment } from '../environment.ts';
import type { ReviewedSync } from '../init/review-sync.ts';
import { type SiteAttributes, siteAttributes } from '../init/site-attributes.ts';
import type { GivenFeed } from './browser-source.ts';
import { checkTyped } from './check-typed.ts';
import { createDraftStore, type Stored } from './draft-store.ts';
import { checkFeedKeys, setVariables } from './feed-key.ts';
import { openNew } from './new-draft.ts';
import type { FileEdit } from './patch.ts';
import type { DraftPlan } from './plan-draft.ts';
import { openWritten, type ReviewedWritten } from './written-draft.ts';

/** A sync that a person makes from a feed in a browser, or the file of a sync that the person changes. */
export interface FeedDraft {
  id: string;
  /** Address of the feed, or where its file will be, beside the config. */
  location: string;
  /** Names of the variables with the key of a new feed. */
  variables: readonly string[];
  corrections: Corrections;
  review: ReviewedSync;
  attributes: SiteAttributes;
  /** Whether its owner has seen what a run of it would do. */
  isPlanned: boolean;
  /** Only of a sync that has a file. */
  written?: WrittenView;
}

/** What is known of the file of a sync that is opened. */
export interface WrittenView extends Pick<ReviewedWritten, 'missing' | 'tests'> {
  /** The source whose lines are shown, and all sources, if the sync has several. */
  source?: string | undefined;
  sources: readonly string[];
}

/** Where the sync of a draft comes from. */
interface Origin {
  location: string;
  variables: readonly string[];
  opened: OpenSample;
  make(corrections: Corrections, signal: AbortSignal): Promise<ReviewedSync | ReviewedWritten>;
  plan(sync: SyncConfig, signal: AbortSignal): Promise<DraftPlan>;
  /** See `BrowserSource`. */
  keep?: (() => () => void) | undefined;
  remove(): void;
  /** The file of the sync, if it has one. */
  file?: Pick<WrittenView, 'source' | 'sources'> & { before: string; written: WrittenSync };
}

interface KeptDraft extends Stored {
  draft: FeedDraft;
  origin: Origin;
}

export type FeedDrafts = ReturnType<typeof createFeedDrafts>;

/**
 * Drafts syncs for people, and keeps the drafts in this process.
 * @param app returns the app of the config in force
 * @throws CodedError FF_USAGE if a variable for feeds is one of the target, or has its token
 */
export function createFeedDrafts(
  app: () => Pick<App, 'config' | 'gates' | 'contextOf' | 'ledger'>,
  environment: Environment,
) {
  const keys = { listed: environment.http.feedVariables, variables: environment.variables };
  checkFeedKeys(keys, readTargetSecrets(environment.configDir, environment.variables));
  const kept = createDraftStore<KeptDraft>();
  /** The variables that a person may name for a feed that needs a key. */
  const variables = setVariables(keys);
  return {
    open,
    openSync,
    get,
    list,
    correct: correctLine,
    rename,
    takeBack,
    plan,
    edits,
    keepFeed,
    ...{ discard: kept.drop, close: kept.close },
    variables,
  };

  /**
   * Opens a feed and proposes a sync for it.
   * @param owner identifies the person
   * @throws CodedError FF_USAGE for what cannot be opened from a browser, FF_FEED_…
   */
  async function open(given: GivenFeed, owner: string, signal: AbortSignal): Promise<FeedDraft> {
    return keep(await openNew(given, app, environment, signal), owner, signal);
  }

  /**
   * Opens the file of a sync, and the beginning of its feed.
   * @param source the source to show, if the sync has several; default: the first one
   * @throws CodedError FF_SYNC_UNKNOWN, and as `openWritten` does
   */
  async function openSync(name: string, source: string | undefined, owner: string, signal: AbortSignal) {
    const sync = syncNamed(name, app().config);
    dropUnchanged(name, owner);
    return keep(await openWritten(sync, source, app, environment, signal), owner, signal);
  }

  /** @throws CodedError FF_HTTP_NOT_FOUND if the person has no such draft, or no longer */
  function get(id: string, owner: string): FeedDraft {
    return kept.get(id, owner).draft;
  }

  /** Lists the drafts of a person, the newest first. */
  function list(owner: string): FeedDraft[] {
    return kept.list(owner).map(({ draft }) => draft);
  }

  /**
   * Corrects a line of a draft, or answers a question.
   * @throws CodedError FF_USAGE for a correction that is not possible or not allowed, FF_HTTP_NOT_FOUND
   */
  async function correctLine(id: string, owner: string, correction: Correction, signal: AbortSignal): Promise<void> {
    const one = kept.get(id, owner);
    const { corrections, review } = one.draft;
    checkTyped(correction, one.origin.opened);
    if (one.origin.file && 'line' in correction && correction.line === 'resource') {
      throw new CodedError(
        'FF_EDIT_IMPOSSIBLE',
        'The items of this sync stay what they are: its resource cannot change.',
      );
    }
    const next = correct(corrections, correction, fieldPaths(review.sample));
    await change(one, next, signal, 'line' in correction);
  }

  /** Makes all lines that read a field of the sync file read another one, because the feed has renamed it. Throws as `correct` does. */
  async function rename(id: string, owner: string, { from, to }: { from: string; to: string }, signal: AbortSignal) {
    const one = kept.get(id, owner);
    const { corrections } = one.draft;
    const lines = one.origin.file ? renamedIn(one.origin.file.written, from, to) : {};
    await change(one, { ...corrections, lines: { ...corrections.lines, ...lines } }, signal, true);
  }

  /** Takes the correction of a line, or the answer to a question, back. Throws as `correct` does. */
  async function takeBack(id: string, owner: string, line: string, signal: AbortSignal): Promise<void> {
    const one = kept.get(id, owner);
    await change(one, withoutCorrection(one.draft.corrections, line), signal);
  }

  /**
   * Plans the sync of a draft against the site, and writes nothing to it.
   * @throws CodedError FF_NOTHING_TO_DO if the draft has no valid sync yet, FF_HTTP_NOT_FOUND
   */
  async function plan(id: string, owner: string, signal: AbortSignal): Promise<DraftPlan> {
    const one = kept.get(id, owner);
    const { draft, origin } = one;
    const planned = await origin.plan(draftedOf(draft).sync, signal);
    // Meanwhile, the person may have changed the draft.
    if (one.draft === draft) one.draft = { ...draft, isPlanned: true };
    return planned;
  }

  /** Lists the files of the config folder that saving a draft would change. Throws as `plan` does. */
  function edits(id: string, owner: string): FileEdit[] {
    const { draft, origin } = kept.get(id, owner);
    const { syncFile, testsFile } = draftedOf(draft);
    const files = [syncFile, ...(testsFile ? [testsFile] : [])].map(({ path, text: after }) => {
      return { path: relative(environment.configDir, path), before: origin.file?.before, after };
    });
    return files.filter(({ before, after }) => before !== after);
  }

  /**
   * Writes the uploaded feed of a draft where its sync reads it, if it has one.
   * @returns what takes that back
   * @throws CodedError FF_EDIT_IMPOSSIBLE if another file is there, or it cannot be written; FF_HTTP_NOT_FOUND
   */
  function keepFeed(id: string, owner: string): () => void {
    return kept.get(id, owner).origin.keep?.() ?? (() => {});
  }

  /** Drops the drafts that the person has opened of a sync and not changed. */
  function dropUnchanged(name: string, owner: string): void {
    for (const { draft } of kept.list(owner)) {
      if (draft.written && draft.review.name === name && draft.corrections === NO_CORRECTIONS)
        kept.drop(draft.id, owner);
    }
  }

  async function keep(origin: Origin, owner: string, signal: AbortSignal): Promise<FeedDraft> {
    try {
      const review = await origin.make(NO_CORRECTIONS, signal);
      const attributes = await siteAttributes(review.proposal.resource.value, app(), signal);
      const { location, variables: named } = origin;
      const known = { id: randomUUID(), location, variables: named, attributes };
      const draft = { ...known, corrections: NO_CORRECTIONS, isPlanned: false, ...reviewed(origin, review) };
      kept.add(draft.id, owner, { draft, origin, remove: origin.remove });
      return draft;
    } catch (error) {
      origin.remove();
      throw error;
    }
  }

  /**
   * A change that makes the sync invalid is refused, unless it was invalid before.
   * @param hasToChange whether a change of the file of a sync is refused that leaves it as it is
   */
  async function change(one: KeptDraft, corrections: Corrections, signal: AbortSignal, hasToChange = false) {
    const { draft, origin } = one;
    const review = await origin.make(corrections, signal);
    if (review.mistake && draft.review.drafted) throw review.mistake;
    if (hasToChange && origin.file && textOf(review) === textOf(draft.review)) {
      throw new CodedError('FF_NOTHING_TO_DO', 'This changes nothing in the file of the sync.', {
        remedy:
          'If the line comes from the format of the feed, it can only be replaced. Write other changes in an editor.',
      });
    }
    const resource = review.proposal.resource.value;
    const isSame = resource === draft.review.proposal.resource.value;
    const attributes = isSame ? draft.attributes : await siteAttributes(resource, app(), signal);
    one.draft = { ...draft, corrections, attributes, isPlanned: false, ...reviewed(origin, review) };
  }
}

function reviewed({ file }: Origin, review: ReviewedSync | ReviewedWritten): Pick<FeedDraft, 'review' | 'written'> {
  if (!file || !('tests' in review)) return { review };
  const { missing, tests } = review;
  const { source, sources } = file;
  return { review, written: { missing, tests, source, sources } };
}

function textOf({ drafted }: ReviewedSync): string | undefined {
  return drafted?.draft.syncFile.text;
}

function draftedOf({ review: { drafted, mistake } }: FeedDraft) {
  if (drafted) return drafted.draft;
  throw new CodedError('FF_NOTHING_TO_DO', mistake?.message ?? 'This draft has no sync yet.');
}
