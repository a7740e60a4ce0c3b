import { connectors } from '../../../connectors/index.ts';
import { CodedError } from '../../core/errors.ts';
import { plainText } from '../../core/html/html-text.ts';
import { isObject } from '../../core/record.ts';
import { quantity } from '../../core/text/describe-changes.ts';
import { oneLine } from '../../core/text/record-title.ts';
import { hasLine } from '../../inference/correct/corrections.ts';
import type { Answers, Proposal, Question } from '../../inference/proposal.ts';
import { propose } from '../../inference/propose/propose.ts';
import { recognise } from '../../inference/recipes/apply-recipe.ts';
import type { Recipe } from '../../inference/recipes/recipe.ts';
import type { FeedSample } from '../../inference/sample.ts';
import { compilePath } from '../../mapping/path.ts';
import { detectFormat } from '../sample/detect-format.ts';
import { hideSecrets } from '../sample/hide-secrets.ts';
import { readSample } from '../sample/read-sample.ts';
import { HEAD, type OpenSample, openSample, type SampleAccess } from '../sample/sample-feed.ts';
import { isWebPage } from '../sample/text-format.ts';
import { pageError, readWebPage } from '../sample/web-page.ts';
import { type FeedCandidate, listCandidates, refusalOf } from './candidates.ts';

/** An open feed; of a web page, the best feed that was found. */
export interface OpenFeed {
  location: string;
  beginning: OpenSample;
  /** The web page that was given, and its feeds, the best first. */
  found?: { page: string; feeds: readonly FoundFeed[] };
}

/** A feed of a web page. */
interface FoundFeed {
  address: string;
  opened: OpenSample;
  /** Where it is from, what it is, its records. */
  label: string;
  isKnown: boolean;
  records: number;
}

/** Requests for a page beyond the page itself. */
const MOST_TRIED = 6;
const LIMITS = { timeoutMs: 6000, retries: 0, mostBytes: 5_000_000 };
/** So many records show what a feed is about. */
const FEW = 200;
/** So many titles show which of several feeds it is. */
const SHOWN = 3;
const QUESTION = 'feed of the page';

/**
 * Opens a feed. If the address is that of a web page, tries where the page may have feeds, and opens those that a connector reads.
 * @throws CodedError FF_FEED_… if neither the address nor what was tried is a feed
 */
export async function openFeed(
  address: string,
  signal: AbortSignal,
  access: SampleAccess,
  recipes: readonly Recipe[],
): Promise<OpenFeed> {
  const location = address.replace(/^webcals?:/i, 'https:');
  const refusal = refusalOf(location, recipes);
  if (refusal) throw new CodedError('FF_FEED_FORMAT', refusal.refused, { remedy: refusal.ask });
  let page: OpenSample | undefined;
  let failure: unknown;
  try {
    page = await openSample(address, signal, access);
  } catch (error) {
    signal.throwIfAborted();
    failure = error;
  }
  if (page && !isWebPage(page.beginning.text)) return { location: address, beginning: page };
  const { text = '', url = location } = page?.beginning ?? {};
  const { candidates, elsewhere, advice } = listCandidates(location, url, readWebPage(text, url), recipes);
  const safe = candidates.filter((candidate) => hideSecrets(candidate.address, access.secrets) === candidate.address);
  const open = opener(location, page, access, signal);
  const results = await Promise.all(safe.slice(0, MOST_TRIED).map((candidate) => tryFeed(candidate, open, signal)));
  const own = page && (await tryFeed({ address }, async () => page, signal, true));
  const feeds = [...results, ...(own ? [own] : [])].filter((result) => typeof result !== 'string').toSorted(bestFirst);
  const [best] = feeds;
  if (best) return { location: best.address, beginning: best.opened, found: { page: address, feeds } };
  // Other pages may have a form to log in beside their content.
  const isElsewhere = new URL(url).pathname !== new URL(location).pathname;
  if (isElsewhere && /\btype=["']?password\b/i.test(text)) throw asksToLogIn(url);
  const tried = results.filter((result) => typeof result === 'string');
  throw page ? pageError(page.beginning.location, elsewhere, tried, advice) : failure;
}

function asksToLogIn(address: string): CodedError {
  return new CodedError('FF_FEED_FORMAT', `${address} asks people to log in.`, {
    remedy:
      'feedferry does not log in on pages. Ask the owner for an address without a log-in, such as the link with which people subscribe to the calendar, or for a key.',
  });
}

/** Takes the feed that a person has chosen of those of a web page, or the best one, and asks which one is meant. */
export function chooseFeed(
  { location, beginning, found }: OpenFeed,
  answers: Answers,
): Pick<OpenFeed, 'location' | 'beginning'> & { open: Question[]; warnings: string[] } {
  const { page = location, feeds = [] } = found ?? {};
  const answer = answers[QUESTION] ?? '';
  const chosen = feeds.find(({ address }, index) => [address, String(index + 1)].includes(answer)) ?? feeds[0];
  if (chosen === undefined) return { location, beginning, open: [], warnings: [] };
  const isPage = chosen.address === page;
  return {
    location: chosen.address,
    beginning: chosen.opened,
    open: feeds.length > 1 ? [questionAbout(page, feeds)] : [],
    warnings: isPage ? [] : [`${page} is a web page. Its feed ${chosen.address} is read: ${chosen.label}.`],
  };
}

function questionAbout(page: string, feeds: readonly FoundFeed[]): Question {
  const others = feeds.slice(1);
  return {
    id: QUESTION,
    line: 'source.url',
    text: 'Which feed of the page is meant?',
    choices: feeds.map(({ address, label }, index) => ({ value: String(index + 1), label: `${label}: ${address}` })),
    safe: '1',
    comment: `${page} has other feeds: ${others.map(({ address, label }) => `${address} (${label})`).join(', ')}.`,
  };
}

/** Feeds of systems that are known come first, in the order of their recipes; then those with more records. */
function bestFirst(one: FoundFeed, other: FoundFeed): number {
  if (one.isKnown || other.isKnown) return Number(other.isKnown) - Number(one.isKnown);
  return other.records - one.records;
}

/** Returns a function that opens an address that a page has led to. Only the origin of the page gets the credentials of the page. */
function opener(location: string, page: OpenSample | undefined, access: SampleAccess, signal: AbortSignal) {
  const { origin, host, hostname } = new URL(location);
  const plain = { options: {}, written: {}, secrets: access.secrets };
  return async (address: string): Promise<OpenSample> => {
    const url = new URL(address);
    const isPrivate = page?.beginning.isPrivate === true && url.host === host;
    const confirmPrivate = async (name: string) => isPrivate && name === hostname.replace(/^\[|\]$/g, '');
    const given = url.origin === origin ? access : plain;
    const { beginning } = await openSample(address, signal, { ...given, confirmPrivate }, LIMITS);
    return { beginning, access: { ...given, confirmPrivate: access.confirmPrivate } };
  };
}

/** Returns the feed at an address, or a sentence about why no connector reads one from it. */
async function tryFeed(
  { address, recipe, isLinked = false }: FeedCandidate,
  open: (address: string) => Promise<OpenSample>,
  signal: AbortSignal,
  isPage = false,
): Promise<FoundFeed | string> {
  try {
    const opened = await open(address);
    const { text, location, isWhole } = opened.beginning;
    if (!isPage && isWebPage(text)) return `${location} is a web page, too.`;
    const sample = await firstPage(opened, address, signal);
    const records = sample.records.length;
    if (records === 0) return `${location} has no records.`;
    const { defaultMap } = connectors.find(({ kind }) => kind === sample.connector) ?? {};
    // The day on which an item was published is not that of an event.
    const defaults = sample.connector === 'jsonfeed' ? {} : defaultMap;
    const lines: Readonly<Record<string, unknown>> = {
      ...defaults,
      ...valuesOf(propose({ ...sample, records: sample.records.slice(0, FEW) }).map),
    };
    // A file may be anything.
    const isKnown = recipe && (recipe.feeds.length === 0 || recognise(sample, [recipe]) !== undefined);
    const isClear = (hasLine(lines, 'title') && hasLine(lines, 'start')) || 'email' in lines;
    if (!isKnown && !isClear) return `${location} has no events or people.`;
    const from = isPage ? 'in the page itself' : (recipe?.title ?? 'linked on the page');
    const count = `${quantity(records, 'record')}${isWhole ? '' : ' at the beginning'}${titlesIn(sample, lines.title)}`;
    const label = hideSecrets(`${from}, ${sample.connector}, ${count}`, opened.access.secrets);
    return { address, opened, label, isKnown: recipe !== undefined && !isLinked, records };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CodedError) return error.message;
    throw error;
  }
}

async function firstPage({ beginning }: OpenSample, url: string, signal: AbortSignal): Promise<FeedSample> {
  const { text, location, isWhole } = beginning;
  const { connector, options, reading = options } = await detectFormat(text, location, {});
  const { records } = await readSample(
    beginning.asFeed(),
    connector,
    'maxPages' in reading ? { ...reading, maxPages: 1 } : reading,
    signal,
  );
  return { url, connector, options, records, isWhole, head: text.slice(0, HEAD) };
}

function valuesOf(map: Proposal['map']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([name, { value }]) => [name, value]));
}

/** Returns the titles of the first records for a label: feeds of one page often begin alike. */
function titlesIn({ records }: FeedSample, rule: unknown): string {
  const path = typeof rule === 'string' ? rule : isObject(rule) ? rule.field : undefined;
  if (typeof path !== 'string') return '';
  const read = compilePath(path);
  const titles = records.slice(0, SHOWN).map(({ fields }) => plainText(oneLine(read(fields))).slice(0, 60));
  const shown = titles.filter((title) => title !== '').map((title) => `"${title}"`);
  return shown.length === 0 ? '' : `, first ${shown.join(', ')}`;
}
