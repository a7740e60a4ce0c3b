import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CodedError } from '../../core/errors.ts';
import type { SourceRecord } from '../../core/record.ts';
import { type Corrections, isWritten } from '../../inference/correct/corrections.ts';
import type { Proposal } from '../../inference/proposal.ts';
import { withEditors } from '../../inference/propose/editors.ts';
import { propose } from '../../inference/propose/propose.ts';
import { applyRecipe, recognise } from '../../inference/recipes/apply-recipe.ts';
import type { FeedSample } from '../../inference/sample.ts';
import { literal, syncFileText } from '../../inference/sync-file.ts';
import { chooseFeed } from '../../source/find/find-feeds.ts';
import { takeSample } from '../../source/sample/sample-feed.ts';
import { createPictureTrial } from '../../source/tried-pictures.ts';
import { uploadAt } from '../uploads.ts';
import { type DraftedSync, type DraftOrigin, type DraftPlace, draftText, reviewDraft } from './draft.ts';
import { isServerAddress } from './feed-access.ts';
import type { OpenSource } from './open-source.ts';
import type { KnownRecipes } from './recipes.ts';
import { spanQuestion, withSpans } from './span-question.ts';
import { syncNameOf } from './sync-name.ts';

const SHOWN_FIELDS = 20;

/**
 * Drafts a sync that has no file yet.
 * @param isTaken whether another sync has a name
 */
export function newDraft(
  source: OpenSource,
  recipes: KnownRecipes,
  place: () => DraftPlace & { isTaken(name: string): boolean },
): DraftOrigin {
  let { location, beginning: opened }: Pick<OpenSource, 'location' | 'beginning'> = source;
  const pictures = createPictureTrial();
  return {
    get location() {
      return location;
    },
    get opened() {
      return opened;
    },
    async make(said, signal, given) {
      const chosen = chooseFeed(source, said.answers);
      ({ location, beginning: opened } = chosen);
      const { sample, proposal } = await proposeSync(chosen, recipes, signal, said);
      const { isTaken, ...where } = place();
      const name =
        given ?? freeName(syncNameOf(uploadAt(location)?.name ?? location, proposal.resource.value), isTaken);
      const review = (proposed: Proposal) =>
        reviewDraft({ sample, proposal: proposed, said, name }, () => draftProposal(proposed, sample, name, where));
      const draft = review(proposal);
      const question = draft.drafted && !isWritten(said, 'recurrence') && spanQuestion(draft.drafted);
      const asked = question && !Object.hasOwn(said.answers, question.id) ? [question] : [];
      const unread = draft.drafted ? await pictures.describe(draft.drafted, signal) : [];
      if (asked.length + unread.length === 0) return draft;
      const { open, warnings } = proposal;
      return review({ ...proposal, open: [...open, ...asked], warnings: [...warnings, ...unread] });
    },
  };
}

function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  let free = wanted;
  for (let number = 2; isTaken(free); number += 1) free = `${wanted}-${number}`;
  return free;
}

/**
 * Proposes a sync for a feed, with what a person has answered and corrected so far.
 * @throws CodedError FF_USAGE if the given recipe is not for feeds of this format, or an option of the connector is not valid
 */
async function proposeSync(
  { location, beginning, ...about }: ReturnType<typeof chooseFeed>,
  recipes: KnownRecipes,
  signal: AbortSignal,
  said: Corrections,
): Promise<{ sample: FeedSample; proposal: Proposal }> {
  const { sample, evidence, open, warnings } = await takeSample(beginning, location, signal, said);
  const inferred = propose(sample, said);
  const recipe = recipes.given ?? recognise(sample, recipes.all);
  const known = recipe ? applyRecipe(recipe, sample, inferred, said) : inferred;
  const proposal = withSpans(withEditors(known, sample.connector, said), said.answers);
  const source = Object.entries(proposal.source).map(([name, guess]) => {
    // What a person has written replaces what the sample was read with.
    if (Object.hasOwn(said.lines, `source.${name}`)) return [name, guess];
    const hasVariables = Object.hasOwn(beginning.access.written, name);
    const found = Object.hasOwn(evidence, name) ? evidence[name] : undefined;
    return [name, { ...guess, evidence: found || guess.evidence, hasVariables }];
  });
  // Questions are no longer open if they were answered, or if a person has written their line.
  const isOpen = ({ id, line }: Proposal['open'][number]) => !Object.hasOwn(said.answers, id) && !isWritten(said, line);
  return {
    sample,
    proposal: {
      ...proposal,
      source: Object.fromEntries(source),
      open: [...about.open, ...open, ...proposal.open].filter(isOpen),
      warnings: [...about.warnings, ...warnings, ...proposal.warnings],
    },
  };
}

/** @throws CodedError FF_INIT_UNKNOWN if no field can be the key; ConfigError if the sync is not valid */
function draftProposal(proposal: Proposal, sample: FeedSample, name: string, place: DraftPlace): DraftedSync {
  const { records, url } = sample;
  if (proposal.key.value.length === 0) throw unknownFeed(records, url);
  const path = join(place.dir, 'syncs', `${name}.yaml`);
  const hint = url === '-' ? `pipe the feed into the command: … | feedferry sync ${name}` : '';
  return draftText(path, syncFileText(proposal, urlIn(path, url), hint), sample, { ...place, hasTests: true });
}

function unknownFeed(records: readonly SourceRecord[], location: string): CodedError {
  const feed = location === '-' ? 'Standard input' : location;
  if (records.length === 0) return new CodedError('FF_INIT_UNKNOWN', `${feed} has no records.`);
  const names = new Set(records.slice(0, SHOWN_FIELDS).flatMap(({ fields }) => Object.keys(fields)));
  const shown = [...names].slice(0, SHOWN_FIELDS).map((name) => name.slice(0, 60));
  const message = `No field of ${feed} is known as a title, a date, a name or an e-mail address. Its fields are ${shown.join(', ')}.`;
  return new CodedError('FF_INIT_UNKNOWN', message);
}

/** Returns a location as it is written in a sync file: paths are relative to the folder of the file, and have no variables. */
export function urlIn(file: string, location: string): string {
  if (isServerAddress(location)) return location;
  return String(literal(isAbsolute(location) ? relativePath(file, location) : location));
}

function relativePath(file: string, location: string): string {
  const path = relative(dirname(resolve(file)), location)
    .split(sep)
    .join('/');
  return path.startsWith('.') ? path : `./${path}`;
}
