import { type Digest, feedPage, letterTo } from '../../alerts/digests/compose.ts';
import { digestFacts } from '../../alerts/digests/facts.ts';
import { ownerOfLink } from '../../alerts/digests/link.ts';
import { type FeedOwner, ownersOf } from '../../alerts/digests/owners.ts';
import { blocksText } from '../../alerts/digests/render.ts';
import type { App } from '../../app/app.ts';
import type { SyncConfig } from '../../config/types.ts';
import { siteTime } from '../../core/dates/site-time.ts';

type Known = Pick<App, 'config' | 'ledger'>;

/** A letter about what is wrong with a feed, for a person to send. */
export interface LetterView {
  /** The addresses of the owners; empty: nobody is named. */
  to: readonly string[];
  subject: string;
  text: string;
}

/** Returns what the owner of a feed may see of it by a link; undefined if the link does not work. */
export async function ownerPageOf(name: string, link: string, known: Known): Promise<Digest | undefined> {
  const { config, ledger } = known;
  const sync = config.syncs.find((each) => each.name === name);
  const owner = sync && (await ownerOfLink(sync, link, { now: Date.now(), secrets: ledger.sessions }));
  // A mail waits until a feed works again by itself; a page shows what is so now.
  return owner && feedPage(await factsFor(sync, { ...owner, every: 0 }, known), owner, config.target.timezone);
}

/** Returns a letter to the owners of a feed, or else of its sources, in the language of the first of them; undefined if they have nothing to correct. */
export async function letterOf(name: string, known: Known): Promise<LetterView | undefined> {
  const sync = known.config.syncs.find((each) => each.name === name);
  if (!sync) return undefined;
  const all = ownersOf(sync);
  const ofWhole = all.filter(({ sources }) => !sources);
  const owners = ofWhole.length > 0 ? ofWhole : all;
  const { language, name: called } = owners[0] ?? { language: 'en', name: undefined };
  const facts = await factsFor(sync, { sources: undefined, every: Number.POSITIVE_INFINITY }, known);
  const letter = letterTo(facts, { language, name: called }, known.config.target.timezone);
  return letter && { to: owners.map(({ email }) => email), subject: letter.title, text: blocksText(letter.blocks) };
}

async function factsFor(sync: SyncConfig, owner: Pick<FeedOwner, 'sources' | 'every'>, { config, ledger }: Known) {
  const health = await ledger.alerts.health(sync.name);
  const today = siteTime(health.now, config.target.timezone).slice(0, 10);
  return digestFacts(sync, owner, { health, today, ledger });
}
