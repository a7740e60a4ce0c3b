import { randomUUID } from 'node:crypto';
import { basename, dirname, relative } from 'node:path';
import { readTargetSecrets } from '../../config/load.ts';
import { syncNamed, syncNames } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import { type Correction, correct, withoutCorrection } from '../../inference/correct/correct.ts';
import { type Corrections, NO_CORRECTIONS } from '../../inference/correct/corrections.ts';
import { fieldPaths } from '../../inference/review/review.ts';
import { readSource } from '../../source/read-source.ts';
import { hideSecrets } from '../../source/sample/hide-secrets.ts';
import { type PlannedChange, type PlanReport, planRun } from '../../sync/runs/plan-run.ts';
import type { Actor } from '../actions/action.ts';
import type { App } from '../app.ts';
import type { Environment } from '../environment.ts';
import { type BrowserSource, type GivenFeed, type GivenFile, openGivenFeed, withoutFolder } from './browser-source.ts';
import type { FileEdit } from './changed-lines.ts';
import { checkTyped } from './check-typed.ts';
import { type Draft, type DraftOrigin, requireReady, sayAbout } from './draft.ts';
import { createDraftStore } from './draft-store.ts';
import { refuseTargetVariables } from './feed-access.ts';
import { createFileEdits } from './file-edits.ts';
import { newDraft, urlIn } from './new-draft.ts';
import { type KnownRecipes, readRecipes } from './recipes.ts';
import { type SiteAttributes, siteAttributes } from './site-attributes.ts';
import { openWritten } from './written-draft.ts';

/** The draft of a person: a sync for a feed, or the file of a sync that the person changes. */
export interface FeedDraft extends Draft {
  id: string;
  /** Address of the feed, or where its file will be. */
  location: string;
  /** Whether the feed is a file that was uploaded for this draft. */
  isUpload: boolean;
  /** Names of the variables with the key of a new feed. */
  variables: readonly string[];
  attributes: SiteAttributes;
  /** What a run of it would do, if its owner has asked for that since the last change. */
  plan?: DraftPlan | undefined;
}

/** What a run of a sync would do, and its first changes. */
export interface DraftPlan {
  report: PlanReport;
  first: readonly PlannedChange[];
}

/**
 * A change of a draft: the correction of a line, or the answer to a question; a correction that is taken back; a field that the feed has
 * renamed, in all lines that read it.
 */
export type DraftChange = Correction | { takeBack: string } | { renamed: string; to: string };

interface KeptDraft {
  draft: FeedDraft;
  origin: DraftOrigin;
  /** Of an uploaded feed or a new one. */
  source?: BrowserSource | undefined;
}

const FIRST = 20;
let recipes: KnownRecipes | undefined;

/** Reads the recipes of this package, which do not change, when the first feed is opened. */
function known(): KnownRecipes {
  recipes ??= readRecipes(undefined);
  return recipes;
}

export type FeedDrafts = ReturnType<typeof createFeedDrafts>;

/**
 * Drafts syncs for people, and keeps the drafts in this process.
 * @param app returns the app of the config in force
 * @param readAgain puts saved files in force
 * @throws CodedError FF_USAGE if a variable for feeds is one of the target, or has its token; if drafts are to be saved in a folder that
 * cannot be written
 */
export function createFeedDrafts(
  app: () => Pick<App, 'config' | 'gates' | 'contextOf' | 'ledger'>,
  environment: Environment,
  readAgain: () => Promise<void>,
) {
  const { configDir, variables, http } = environment;
  const named = http.feedVariables.map(({ name }) => name);
  refuseTargetVariables(named, readTargetSecrets(configDir, variables), variables);
  const kept = createDraftStore<KeptDraft>(({ source }) => source?.remove());
  const files = http.edit === 'save' ? createFileEdits(app, environment, readAgain) : undefined;
  return {
    ...{ open, openSync, openUpload, get, list, change, plan, edits, rename, save },
    ...{ discard: kept.drop, close: kept.close, files },
  };

  /**
   * Opens a feed and proposes a sync for it.
   * @param owner identifies the person
   * @throws CodedError FF_USAGE for what cannot be opened from a browser, FF_FEED_…
   */
  async function open(given: GivenFeed, owner: string, signal: AbortSignal): Promise<FeedDraft> {
    const source = await openGivenFeed(given, environment, app().config.target.timezone, signal);
    // What is typed in a browser cannot name other variables.
    const place = () => ({
      ...{ dir: configDir, target: app().config.target, variables: source.variables },
      isTaken: (name: string) => syncNames(app().config).includes(name),
    });
    const origin = newDraft(source, known(), place);
    return keep({ origin, source }, owner, NO_CORRECTIONS, signal);
  }

  /**
   * Opens the file of a sync, and the beginning of its feed. Drafts of it that the person has not changed are dropped.
   * @param source the source to show, if the sync has several; default: the first one
   * @throws CodedError FF_SYNC_UNKNOWN, and as `openWritten` does
   */
  async function openSync(name: string, source: string | undefined, owner: string, signal: AbortSignal) {
    const sync = syncNamed(name, app().config);
    for (const { draft } of kept.list(owner)) {
      if (draft.written && draft.name === name && draft.said === NO_CORRECTIONS) kept.drop(draft.id, owner);
    }
    const origin = await openWritten(sync, { source }, app(), environment, signal);
    return keep({ origin }, owner, NO_CORRECTIONS, signal);
  }

  /**
   * Opens a new version of the feed of a sync, which the person has uploaded. It counts when the draft is saved.
   * @param of the source whose feed it is, if the sync has several; default: the first one
   * @throws CodedError as `openSync`, FF_FEED_…
   */
  async function openUpload(
    name: string,
    of: string | undefined,
    file: GivenFile,
    owner: string,
    signal: AbortSignal,
  ): Promise<FeedDraft> {
    const sync = syncNamed(name, app().config);
    const source = await openGivenFeed(file, environment, app().config.target.timezone, signal);
    try {
      const origin = await openWritten(sync, { source: of, feed: source.readable }, app(), environment, signal);
      const said = { answers: {}, lines: { 'source.url': urlIn(sync.file, source.location) } };
      return await keep({ origin, source }, owner, said, signal);
    } catch (error) {
      source.remove();
      throw error;
    }
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
   * Changes a draft.
   * @throws CodedError FF_USAGE for a change that is not possible or not allowed, FF_NOTHING_TO_DO for one that changes nothing in the
   * file of a sync, FF_HTTP_NOT_FOUND
   */
  async function change(id: string, owner: string, change: DraftChange, signal: AbortSignal): Promise<void> {
    const one = kept.get(id, owner);
    const { draft, origin } = one;
    const next = await sayAbout(origin, draft, saidAfter(one, change), signal);
    const isSame = origin.before !== undefined && next.drafted?.syncFile.text === draft.drafted?.syncFile.text;
    if (isSame && ('line' in change || 'renamed' in change)) {
      throw new CodedError('FF_NOTHING_TO_DO', 'This changes nothing in the file of the sync.', {
        remedy:
          'If the line comes from the format of the feed, it can only be replaced. Write other changes in an editor.',
      });
    }
    const resource = next.proposal.resource.value;
    const isOther = resource !== draft.proposal.resource.value;
    const attributes = isOther ? await siteAttributes(resource, app(), signal) : draft.attributes;
    // What was planned is no longer what the draft says.
    const { drafted: _, mistake: __, plan: ___, ...former } = draft;
    const location = draft.isUpload ? draft.location : origin.location;
    one.draft = { ...former, location, attributes, ...next };
  }

  /**
   * Plans the sync of a draft against the site. Nothing is written to the site, and nothing remains of the plan in the ledger.
   * @throws CodedError FF_HTTP_NOT_FOUND, and as `requireReady` does if the draft has no valid sync yet
   */
  async function plan(id: string, owner: string, signal: AbortSignal): Promise<void> {
    const one = kept.get(id, owner);
    const { draft, origin, source } = one;
    const { sync } = requireReady(draft).drafted;
    const read = source && draft.isUpload ? reading(source.readable, sync, draft.written?.source) : sync;
    const planned = await planSync(read, draft.written ? [] : origin.opened.access.secrets, signal);
    // Meanwhile, the person may have changed the draft.
    if (one.draft === draft) one.draft = { ...draft, plan: hideSecrets(planned, origin.opened.access.secrets) };
  }

  /** @param secrets hidden wherever the feed repeats them, before rules could take them apart */
  async function planSync(sync: SyncConfig, secrets: readonly string[], signal: AbortSignal): Promise<DraftPlan> {
    const { config, contextOf, ledger } = app();
    const usual = contextOf(sync, { signal });
    const read = () => readSource(sync, config.target, { signal, secrets });
    const first: PlannedChange[] = [];
    const report = await planRun(secrets.length > 0 ? { ...usual, readSource: read } : usual, (changes) => {
      first.push(...changes.slice(0, FIRST - first.length));
    });
    await ledger.runs.forgetPlan(report.run);
    return { report, first };
  }

  /** Lists the files of the config folder that saving a draft would change. Throws as `plan` does. */
  function edits(id: string, owner: string): FileEdit[] {
    const { draft, origin } = kept.get(id, owner);
    const { syncFile, testsFile } = requireReady(draft).drafted;
    const all = [{ ...syncFile, before: origin.before }, ...(testsFile ? [{ ...testsFile, before: undefined }] : [])];
    return all.flatMap(({ path, text: after, before }) =>
      before === after ? [] : [{ path: relative(configDir, path), before, after }],
    );
  }

  /**
   * Saves a draft, with its feed if that was uploaded: all files or none. A change of a sync is only saved after its plan.
   * @param name the name for a new sync
   * @returns the name of the sync
   * @throws CodedError FF_EDIT_… if it cannot be saved, and as `plan` does
   */
  async function save(id: string, owner: string, name: string | undefined, actor: Actor, signal: AbortSignal) {
    const one = kept.get(id, owner);
    const { written, plan: seen } = one.draft;
    if (!files) throw new CodedError('FF_EDIT_IMPOSSIBLE', 'Drafts are not saved on this server.');
    if (written && !seen) {
      const remedy = 'See what a run would do, then save.';
      throw new CodedError('FF_EDIT_IMPOSSIBLE', 'What this change would do to the site is not known yet.', { remedy });
    }
    if (!written && name !== undefined) await nameIt(one, name, signal);
    const takeFeedBack = one.source?.keep?.();
    try {
      await files.save(one.draft.name, edits(id, owner), actor);
    } catch (error) {
      takeFeedBack?.();
      throw error;
    }
    kept.drop(id, owner);
    return one.draft.name;
  }

  /** Names a new sync. Throws as `nameIt` does. */
  function rename(id: string, owner: string, name: string, signal: AbortSignal): Promise<void> {
    return nameIt(kept.get(id, owner), name, signal);
  }

  /** @throws CodedError FF_USAGE for a name that is not possible or is taken */
  async function nameIt(one: KeptDraft, name: string, signal: AbortSignal): Promise<void> {
    if (name === one.draft.name) return;
    if (one.draft.written) throw new CodedError('FF_EDIT_IMPOSSIBLE', 'A sync that has a file keeps its name.');
    const refused = (why: string) =>
      new CodedError('FF_USAGE', `"${name.slice(0, 100)}" ${why}.`, {
        remedy: 'Choose another name, such as museum-events.',
      });
    if (!/^\w[\w.-]{0,99}$/.test(name)) throw refused('cannot be the name of a sync');
    if (syncNames(app().config).includes(name)) throw refused('is the name of another sync');
    const next = await one.origin.make(one.draft.said, signal, name);
    one.draft = { ...one.draft, ...next };
  }

  async function keep(
    { origin, source }: Omit<KeptDraft, 'draft'>,
    owner: string,
    said: Corrections,
    signal: AbortSignal,
  ): Promise<FeedDraft> {
    const isUpload = source !== undefined && source.readable !== source.location;
    try {
      const made = await origin.make(said, signal);
      const { location } = source ?? origin;
      const draft: FeedDraft = {
        ...made,
        ...{ id: randomUUID(), isUpload, variables: Object.keys(source?.variables ?? {}) },
        location: isUpload ? basename(source.readable) : location,
        attributes: await siteAttributes(made.proposal.resource.value, app(), signal),
      };
      kept.add(draft.id, owner, { draft, origin, source });
      return draft;
    } catch (error) {
      source?.remove();
      throw isUpload ? withoutFolder(error, dirname(source.readable)) : error;
    }
  }
}

/** Returns a sync whose feed is read from another place. @param source the source that is meant, if the sync has several */
function reading(url: string, sync: SyncConfig, source?: string): SyncConfig {
  const from = (one: SyncConfig): SyncConfig => ({ ...one, source: { ...one.source, url } });
  if (source === undefined || sync.sources === undefined) return from(sync);
  const sources = sync.sources.map((one) => (one.name === source ? { ...one, sync: from(one.sync) } : one));
  return { ...sync, sources };
}

/** Returns what a person has said about a draft after a change. */
function saidAfter({ draft, origin }: KeptDraft, change: DraftChange): Corrections {
  const { said, written, sample } = draft;
  // The feed that was uploaded stays.
  if ('takeBack' in change) return change.takeBack === 'source.url' ? said : withoutCorrection(said, change.takeBack);
  if ('renamed' in change) return { ...said, lines: { ...said.lines, ...origin.renamed?.(change.renamed, change.to) } };
  checkTyped(change, origin.opened);
  if (written && 'line' in change && change.line === 'resource') {
    const message = 'The items of this sync stay what they are: its resource cannot change.';
    throw new CodedError('FF_EDIT_IMPOSSIBLE', message);
  }
  return correct(said, change, fieldPaths(sample));
}
