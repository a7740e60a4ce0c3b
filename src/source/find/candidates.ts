import { createLiquid } from '../../core/liquid.ts';
import type { Recipe, RecipePage } from '../../inference/recipes/recipe.ts';
import type { WebPage } from '../sample/web-page.ts';

/** An address at which a web page may have a feed. */
export interface FeedCandidate {
  address: string;
  /** The recipe of the system of which the page is, or which the page embeds or links. */
  recipe?: Recipe;
  /** Whether the page links the system only: it need not be about the same events. */
  isLinked?: boolean;
}

/** What a web page may be, and what it asks for. */
export interface FeedCandidates {
  candidates: readonly FeedCandidate[];
  /** Feeds on other hosts, which are not tried: the page could name any. */
  elsewhere: readonly string[];
  /** What to ask the owner of the page for, by what its systems are known to offer. */
  advice: readonly string[];
}

type Groups = Readonly<Record<string, string>>;

/** So many matches of one sign are used. */
const MOST_MATCHES = 10;
const liquid = createLiquid();

/**
 * Lists where a web page may have feeds: what its systems are known to have, what it announces and links, what systems that it links have.
 * @param address the address to which the pasted one redirects
 */
export function listCandidates(
  pasted: string,
  address: string,
  page: WebPage,
  recipes: readonly Recipe[],
): FeedCandidates {
  const own = knownFeeds(address, [...new Set([pasted, address]), ...page.parts], page.text, recipes);
  const linked = knownFeeds(address, page.links, '', recipes);
  const all: FeedCandidate[] = [
    ...own.candidates,
    ...page.feeds.filter((feed) => hostOf(feed) === hostOf(address)).map((feed) => ({ address: feed })),
    ...linked.candidates.map((candidate) => ({ ...candidate, isLinked: true })),
  ];
  const different = new Map(all.toReversed().map((each) => [each.address, each]));
  for (const one of [pasted, address]) different.delete(one);
  const candidates = all.filter((each) => different.get(each.address) === each);
  return {
    candidates,
    elsewhere: page.feeds.filter((feed) => !all.some((each) => each.address === feed)),
    advice: own.advice,
  };
}

/** Returns why feeds of the system to which an address belongs cannot be read, and what to do instead, if they cannot. */
export function refusalOf(address: string, recipes: readonly Recipe[]) {
  const signs = recipes.flatMap(({ page }) => page);
  const refusing = signs.find(({ refused, url }) => refused !== undefined && url && groupsIn(address, url).length > 0);
  return refusing?.refused === undefined ? undefined : { refused: refusing.refused, ask: refusing.ask };
}

/** Lists the feeds of all systems that addresses or a text are signs of. */
function knownFeeds(page: string, addresses: readonly string[], source: string, recipes: readonly Recipe[]) {
  const signs = recipes.flatMap((recipe) => recipe.page.map((sign) => ({ recipe, sign })));
  const matched = signs.flatMap(({ recipe, sign }) =>
    matchesOf(sign, addresses, source).map((groups) => ({ recipe, sign, groups })),
  );
  return {
    candidates: matched.flatMap(({ recipe, sign, groups }) =>
      sign.feeds.flatMap((template) => fillIn(template, groups, page, recipe)),
    ),
    advice: matched.flatMap(({ sign: { ask } }) => ask ?? []),
  };
}

/** Returns the named groups of each match of a sign. */
function matchesOf({ url, text }: RecipePage, addresses: readonly string[], source: string): Groups[] {
  const ofAddresses = url ? addresses.flatMap((one) => groupsIn(one, url)) : [{}];
  const ofText = text ? groupsIn(source, text) : [{}];
  return ofAddresses.slice(0, MOST_MATCHES).flatMap((some) => ofText.map((others) => ({ ...some, ...others })));
}

function groupsIn(text: string, pattern: RegExp): Groups[] {
  const matches = [...text.matchAll(pattern)].slice(0, MOST_MATCHES);
  return matches.map(({ groups }) => ({ ...groups }));
}

/** Fills in a template. The host of the result is on the domain of the page, or on the domain that the template names. */
function fillIn(template: string, groups: Groups, page: string, recipe: Recipe): FeedCandidate[] {
  const { origin, pathname, hostname } = new URL(page);
  try {
    const url = new URL(liquid.parseAndRenderSync(template, { origin, page: `${origin}${pathname}`, ...groups }));
    const [, known] = /^https:\/\/(?:[^/]*\}\}\.)?([a-z\d-]+\.[a-z\d.-]+)\//.exec(template) ?? [];
    const isKnown = url.protocol === 'https:' && `.${url.hostname}`.endsWith(`.${known}`);
    const isOwn = /^https?:$/.test(url.protocol) && domainOf(url.hostname) === domainOf(hostname);
    if (url.username || url.password || !(isKnown || isOwn)) return [];
    return [{ address: url.href.replaceAll('${', '$%7B'), recipe }];
  } catch {
    // The page has something else where the address of its feed should be.
    return [];
  }
}

function hostOf(address: string): string | undefined {
  return URL.parse(address)?.host.replace(/^www\./, '');
}

/** Returns the last labels of a host, which one owner has: two, or three of `ac.uk` and the like. An IP address is a domain by itself. */
function domainOf(host: string): string {
  if (/^[\d.]+$|:/.test(host)) return host;
  const count = /(^|\.)[a-z]{2,3}\.[a-z]{2}$/.test(host) ? 3 : 2;
  return host.split('.').slice(-count).join('.');
}
