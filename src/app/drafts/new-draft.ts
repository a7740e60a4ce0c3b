import { basename } from 'node:path';
import { syncNames } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import type { Corrections } from '../../inference/correct/corrections.ts';
import type { App } from '../app.ts';
import type { Environment } from '../environment.ts';
import { type KnownRecipes, proposeSync, readRecipes } from '../init/propose-sync.ts';
import { type ReviewedSync, reviewSync } from '../init/review-sync.ts';
import { syncNameOf } from '../init/sync-name.ts';
import { type BrowserSource, type GivenFeed, openGivenFeed } from './browser-source.ts';
import { type DraftPlan, planDraft } from './plan-draft.ts';

let recipes: KnownRecipes | undefined;

/** Reads the recipes of this package, which do not change, when the first feed is opened. */
function known(): KnownRecipes {
  recipes ??= readRecipes(undefined);
  return recipes;
}

/**
 * Opens a feed that a person gives in a browser, for a sync that has no file yet.
 * @throws CodedError FF_USAGE for what cannot be opened from a browser, FF_FEED_…
 */
export async function openNew(
  given: GivenFeed,
  app: () => Pick<App, 'config' | 'contextOf' | 'ledger'>,
  environment: Environment,
  signal: AbortSignal,
) {
  const source: BrowserSource = await openGivenFeed(given, environment, signal);
  const location = 'address' in given ? source.location : `config/feeds/${basename(source.location)}`;
  let name: string | undefined;
  const { beginning: opened, keep, remove } = source;
  return { location, variables: Object.keys(source.variables), opened, make, plan, keep, remove };

  /** Proposes a sync with what the person has corrected. */
  async function make(corrections: Corrections, making: AbortSignal): Promise<ReviewedSync> {
    const proposed = await proposeSync(source, known(), making, corrections);
    const { target } = app().config;
    name ??= freeName(syncNameOf(source.location, proposed.proposal.resource.value));
    // What is typed in a browser cannot name other variables.
    const { variables } = source;
    return reviewSync(proposed, { name, dir: environment.configDir, target, variables });
  }

  /** Returns a name that no sync has. */
  function freeName(wanted: string): string {
    const taken = syncNames(app().config);
    let free = wanted;
    for (let number = 2; taken.includes(free); number += 1) free = `${wanted}-${number}`;
    return free;
  }

  async function plan(sync: SyncConfig, planning: AbortSignal): Promise<DraftPlan> {
    const readable: SyncConfig = { ...sync, source: { ...sync.source, url: source.readable } };
    return planDraft(readable, app(), { signal: planning, secrets: opened.access.secrets });
  }
}
