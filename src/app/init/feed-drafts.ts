import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Logger } from 'pino';
import { readTargetSecrets } from '../../config/load.ts';
import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import { type Correction, withoutCorrection } from '../../inference/correct/correct.ts';
import type { Corrections } from '../../inference/correct/corrections.ts';
import type { App } from '../app.ts';
import type { Environment } from '../environment.ts';
import { type BrowserSource, type GivenFeed, openGivenFeed } from './browser-source.ts';
import { checkTyped } from './check-typed.ts';
import { type CorrectedSync, correctLine, correctSync } from './correct-sync.ts';
import { checkFeedKeys, setVariables } from './feed-key.ts';
import { type DraftPlan, planDraft } from './plan-draft.ts';
import { type KnownRecipes, proposeSync, readRecipes } from './propose-sync.ts';
import { type ReviewedSync, reviewSync } from './review-sync.ts';
import { type SiteAttributes, siteAttributes } from './site-attributes.ts';
import { syncNameOf } from './sync-name.ts';

/** How long a draft is kept after its last use. */
const KEPT_MS = 2 * 60 * 60_000;
/** Drafts hold the beginning of their feed in memory. */
const MOST = 20;

/** A sync that a person makes from a feed in a browser, before it has files. */
export interface FeedDraft {
  id: string;
  /** Address of the feed, or where its file will be, beside the config. */
  location: string;
  /** Names of the variables with the key of the feed. */
  variables: readonly string[];
  corrections: Corrections;
  review: ReviewedSync;
  attributes: SiteAttributes;
}

interface KeptDraft {
  draft: FeedDraft;
  owner: string;
  source: BrowserSource;
  corrected: CorrectedSync;
  usedAt: number;
}

export type FeedDrafts = ReturnType<typeof createFeedDrafts>;

/**
 * Keeps the drafts of people in this process. A draft belongs to one person and expires two hours after its last use; if there are
 * too many, the one that was used least recently is dropped.
 * @param app returns the app of the config in force
 * @throws CodedError FF_USAGE if a variable for feeds is one of the target, or has its token
 */
export function createFeedDrafts(
  app: () => Pick<App, 'config' | 'gates'>,
  { environment, log }: { environment: Environment; log: Logger },
) {
  const keys = { listed: environment.http.feedVariables, variables: environment.variables };
  checkFeedKeys(keys, readTargetSecrets(environment.configDir, environment.variables));
  const kept = new Map<string, KeptDraft>();
  let recipes: KnownRecipes | undefined;
  /** The variables that a person may name for a feed that needs a key. */
  const variables = setVariables(keys);
  return { open, get, list, correct, takeBack, plan, discard, close, variables };

  /**
   * Opens a feed and proposes a sync for it.
   * @param owner identifies the person
   * @throws CodedError FF_USAGE for what cannot be opened from a browser, FF_FEED_…
   */
  async function open(given: GivenFeed, owner: string, signal: AbortSignal): Promise<FeedDraft> {
    const source = await openGivenFeed(given, environment, signal);
    try {
      const corrected = await correctSync(source, known(), signal);
      const { resource } = corrected.proposed.proposal;
      const attributes = await siteAttributes(resource.value, app(), signal);
      const id = randomUUID();
      const name = freeName(syncNameOf(source.location, resource.value));
      const review = await reviewSync(corrected.proposed, placeOf(name, source));
      const location = 'address' in given ? source.location : `config/feeds/${basename(source.location)}`;
      const { corrections } = corrected;
      const draft = { id, location, variables: Object.keys(source.variables), corrections, review, attributes };
      dropOld();
      kept.set(id, { draft, owner, source, corrected, usedAt: Date.now() });
      return draft;
    } catch (error) {
      source.remove();
      throw error;
    }
  }

  /** @throws CodedError FF_HTTP_NOT_FOUND if the person has no such draft, or no longer */
  function get(id: string, owner: string): FeedDraft {
    return draftOf(id, owner).draft;
  }

  /** Lists the drafts of a person, the newest first. */
  function list(owner: string): FeedDraft[] {
    dropOld(MOST);
    return [...kept.values()].flatMap((one) => (one.owner === owner ? [one.draft] : [])).reverse();
  }

  /**
   * Corrects a line of a draft, or answers a question.
   * @throws CodedError FF_USAGE for a correction that is not possible or not allowed, FF_HTTP_NOT_FOUND
   */
  async function correct(id: string, owner: string, correction: Correction, signal: AbortSignal): Promise<void> {
    const one = draftOf(id, owner);
    checkTyped(correction, one.source.beginning);
    await change(one, await correctLine(one.source, known(), signal, one.corrected, correction), signal);
  }

  /** Takes the correction of a line, or the answer to a question, back. Throws as `correct` does. */
  async function takeBack(id: string, owner: string, line: string, signal: AbortSignal): Promise<void> {
    const one = draftOf(id, owner);
    const corrections = withoutCorrection(one.corrected.corrections, line);
    const proposed = await proposeSync(one.source, known(), signal, corrections);
    await change(one, { proposed, corrections }, signal);
  }

  /**
   * Plans the sync of a draft against the site, and writes nothing to it.
   * @throws CodedError FF_NOTHING_TO_DO if the draft has no valid sync yet, FF_HTTP_NOT_FOUND
   */
  async function plan(id: string, owner: string, signal: AbortSignal): Promise<DraftPlan> {
    const { draft, source } = draftOf(id, owner);
    const { drafted, mistake } = draft.review;
    if (!drafted) throw new CodedError('FF_NOTHING_TO_DO', mistake?.message ?? 'This draft has no sync yet.');
    const { sync } = drafted.draft;
    const readable: SyncConfig = { ...sync, source: { ...sync.source, url: source.readable } };
    const { secrets } = source.beginning.access;
    return planDraft(readable, { config: app().config, environment, log, signal, secrets });
  }

  function discard(id: string, owner: string): void {
    draftOf(id, owner);
    drop(id);
  }

  function close(): void {
    for (const id of kept.keys()) drop(id);
  }

  /** A change that makes the sync invalid is refused, unless it was invalid before. */
  async function change(one: KeptDraft, corrected: CorrectedSync, signal: AbortSignal): Promise<void> {
    const { draft } = one;
    const review = await reviewSync(corrected.proposed, placeOf(draft.review.name, one.source));
    if (review.mistake && draft.review.drafted) throw review.mistake;
    const resource = corrected.proposed.proposal.resource.value;
    const isSame = resource === draft.review.proposal.resource.value;
    const attributes = isSame ? draft.attributes : await siteAttributes(resource, app(), signal);
    one.corrected = corrected;
    one.draft = { ...draft, corrections: corrected.corrections, review, attributes };
  }

  function draftOf(id: string, owner: string): KeptDraft {
    dropOld(MOST);
    const found = kept.get(id);
    if (found?.owner !== owner) {
      throw new CodedError(
        'FF_HTTP_NOT_FOUND',
        'This draft does not exist, or no longer: drafts are kept for two hours.',
        {
          remedy: 'Enter the address of the feed again.',
        },
      );
    }
    found.usedAt = Date.now();
    kept.delete(id);
    kept.set(id, found);
    return found;
  }

  /** Drops drafts that have expired, and those used least recently until there is room. */
  function dropOld(most = MOST - 1): void {
    for (const [id, { usedAt }] of kept) if (kept.size > most || Date.now() - usedAt > KEPT_MS) drop(id);
  }

  function drop(id: string): void {
    kept.get(id)?.source.remove();
    kept.delete(id);
  }

  /** Reads the recipes of this package, which do not change, when the first feed is opened. */
  function known(): KnownRecipes {
    recipes ??= readRecipes(undefined);
    return recipes;
  }

  function placeOf(name: string, { variables }: BrowserSource) {
    // What is typed in a browser cannot name other variables.
    return { name, dir: environment.configDir, target: app().config.target, variables };
  }

  /** Returns a name that no sync has. */
  function freeName(name: string): string {
    const { syncs, broken } = app().config;
    const taken = new Set([...syncs, ...broken].map((sync) => sync.name));
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
    return free;
  }
}
