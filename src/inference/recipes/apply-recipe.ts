import { CodedError } from '../../core/errors.ts';
import type { SourceRecord } from '../../core/record.ts';
import { compilePath } from '../../mapping/path.ts';
import { type Corrections, isDecided, NO_CORRECTIONS } from '../correct/corrections.ts';
import { hasHtml } from '../fields/values.ts';
import type { Guess, Proposal, ProposedRule } from '../proposal.ts';
import type { FeedSample } from '../sample.ts';
import type { Recipe, RecipeFeed, RecipeRule } from './recipe.ts';

/** Returns the name of a recipe's field in the sample; undefined if the sample does not have the field. */
type FindField = (path: string) => string | undefined;

/** Attributes that together are the time of an event. Either all come from the recipe, or all are inferred. */
const timeAttributes = new Set(['start', 'end', 'allDay', 'date', 'endDate', 'time.start', 'time.end']);

/** Returns the recipe of the system that wrote a feed; undefined if no recipe, or more than one, recognises the feed. */
export function recognise(sample: FeedSample, recipes: readonly Recipe[]): Recipe | undefined {
  if (sample.records.length === 0) return undefined;
  const [found, ...others] = recipes.filter((recipe) => recognisedFeed(recipe, sample) !== undefined);
  return others.length === 0 ? found : undefined;
}

/**
 * Returns the inferred proposal, with keys replaced by the keys of a recipe. Leaves out entries of the recipe whose fields the
 * sample does not have. Keys that the recipe does not have, or that a person has corrected, stay as inferred; so does all if the
 * person has chosen the other resource.
 * @throws CodedError FF_USAGE if the system of the recipe has no feeds of this format
 */
export function applyRecipe(
  recipe: Recipe,
  sample: FeedSample,
  inferred: Proposal,
  corrections: Corrections = NO_CORRECTIONS,
): Proposal {
  const known = recognisedFeed(recipe, sample) ?? recipe.feeds.find(({ connector }) => connector === sample.connector);
  if (known === undefined) {
    const kinds = [...new Set(recipe.feeds.map(({ connector }) => connector))].join(' and ');
    throw new CodedError(
      'FF_USAGE',
      `The recipe ${recipe.name} is for ${kinds} feeds; this feed is ${sample.connector}.`,
    );
  }
  const feed = undecidedPart(known, corrections);
  const { sync } = feed;
  const isDecidedOtherwise = isDecided(corrections, 'resource') && inferred.resource.value !== sync.resource;
  if (isDecidedOtherwise) return inferred;
  const find = fieldFinder(sample);
  const guess = guesser(recipe, feed);
  const entriesFor = (rules: Parameters<typeof entriesOf>[0], part: string) =>
    entriesOf(rules, part, { sample, find, guess });
  const entries = entriesFor(sync.map, 'map');
  const base = baseOf(inferred, sync.resource, Object.keys(entries), corrections);
  const map = { ...base.map, ...entries };
  const attachments = entriesFor(sync.attachments, 'attachments') as Proposal['attachments'];
  const key = keyOf(sync.key, sample, find);
  const hasKey = key !== undefined || isDecided(corrections, 'key');
  const noKey = !hasKey ? ['no field that the recipe knows identifies each record'] : [];
  const warnings = [...warningsOf(feed, sample, map), ...noKey].map((text) => `${recipe.title}: ${text}`);
  // Inferred warnings are about the choice of fields, so they do not apply if the recipe chooses the fields.
  const isChosen = hasKey && Object.keys(entries).length > 0;
  return {
    ...base,
    recipe: recipe.name,
    resource: isDecided(corrections, 'resource') ? inferred.resource : guess(sync.resource, 'resource'),
    source: sourceOf(feed, sample, base, find, guess),
    key: key === undefined ? base.key : guess(key, 'key'),
    map,
    attachments: { ...base.attachments, ...attachments },
    suggested: { ...base.suggested, ...entriesFor(sync.suggested, 'suggested') },
    open: base.open.filter(({ line }) => sync.deleted === undefined || line !== 'source.deleted'),
    warnings: [...(isChosen ? [] : base.warnings), ...warnings],
  };
}

function isStatus(line: string): boolean {
  return line === 'when' || line === 'source.deleted';
}

/** Returns the feed of a recipe without the lines that a person has corrected. */
function undecidedPart(feed: RecipeFeed, corrections: Corrections): RecipeFeed {
  const { map, attachments, suggested, source, request, deleted, key, ...rest } = feed.sync;
  const isSaid = (line: string) => isDecided(corrections, line);
  const open = <Value>(lines: Readonly<Record<string, Value>>, lineOf = (name: string) => name) =>
    Object.fromEntries(Object.entries(lines).filter(([name]) => !isSaid(lineOf(name))));
  const inSource = (name: string) => `source.${name}`;
  return {
    ...feed,
    zoned: feed.zoned && !isSaid('source.timezone'),
    sync: {
      ...rest,
      map: open(map),
      attachments: open(open(attachments), (name) => `attachments.${name}`),
      suggested: open(suggested),
      source: open(source, inSource),
      request: open(request, inSource),
      ...(deleted && !isSaid('source.deleted') && { deleted }),
      key: isSaid('key') ? [] : key,
    },
  };
}

function recognisedFeed(recipe: Recipe, sample: FeedSample): RecipeFeed | undefined {
  const find = fieldFinder(sample);
  const isSeen = ({ url, head, fields = [] }: RecipeFeed['recognise'][number]) =>
    (url === undefined || url.test(sample.url)) &&
    (head === undefined || head.test(sample.head)) &&
    fields.every((names) => names.some((name) => find(name) !== undefined));
  return recipe.feeds.find((feed) => feed.connector === sample.connector && feed.recognise.some(isSeen));
}

/** Finds fields by their paths; columns of CSV also if case, blanks or punctuation differ: "Employee ID", "employee_id". */
function fieldFinder({ connector, records }: FeedSample): FindField {
  const known = new Map<string, string | undefined>();
  const columns = new Map(
    connector === 'csv' ? Object.keys(records[0]?.fields ?? {}).map((name) => [plainName(name), name]) : [],
  );
  return (path) => {
    if (records.length === 0) return path;
    if (!known.has(path)) known.set(path, isIn(records, path) ? path : columns.get(plainName(path)));
    return known.get(path);
  };
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}#]/gu, '');
}

function isIn(records: readonly SourceRecord[], path: string): boolean {
  const read = compilePath(path);
  return records.some(({ fields }) => read(fields) !== undefined);
}

function hasValue({ records }: FeedSample, path: string): boolean {
  const read = compilePath(path);
  return records.some(({ fields }) => ![undefined, null, false, 0, '', '0'].includes(read(fields) as string));
}

function guesser({ title }: Recipe, { notes }: RecipeFeed) {
  return <Value>(value: Value, key: string): Guess<Value> => {
    const note = Object.hasOwn(notes, key) ? `: ${notes[key]}` : '';
    return { value, evidence: `recipe ${title}${note}` };
  };
}

/** Returns the first rule whose fields the sample has, with the names of the fields in the sample. */
function ruleOf(alternatives: readonly RecipeRule[], find: FindField): ProposedRule | undefined {
  for (const rule of alternatives) {
    if (typeof rule === 'string') {
      const field = find(rule);
      if (field !== undefined) return field;
    } else {
      const { needs = [], ...keys } = rule;
      const field = typeof keys.field === 'string' ? find(keys.field) : undefined;
      const isComplete = needs.every((name) => find(name) === name);
      if (isComplete && (field !== undefined || keys.field === undefined)) {
        return field === undefined ? keys : { ...keys, field };
      }
    }
  }
  return undefined;
}

function entriesOf(
  rules: Readonly<Record<string, readonly RecipeRule[]>>,
  part: string,
  { sample, find, guess }: { sample: FeedSample; find: FindField; guess: ReturnType<typeof guesser> },
): Record<string, Guess<ProposedRule>> {
  const entries = Object.entries(rules).flatMap(([name, alternatives]) => {
    const rule = ruleOf(alternatives, find);
    return rule === undefined ? [] : [[name, guess(withoutHtml(name, rule, sample), `${part}.${name}`)] as const];
  });
  return Object.fromEntries(entries);
}

/** The custom attributes that a site shows as plain text. */
const plainAttributes = new Set(['category', 'location']);

/** Removes the HTML of a plain text, as inference does, if the sample has any. */
function withoutHtml(attribute: string, rule: ProposedRule, { records }: FeedSample): ProposedRule {
  const keys = typeof rule === 'string' ? { field: rule } : rule;
  if (!plainAttributes.has(attribute) || 'html' in keys) return rule;
  const read = compilePath(String(keys.field));
  const isMarked = records.some(({ fields }) =>
    [read(fields)].flat().some((value) => typeof value === 'string' && hasHtml(value)),
  );
  return isMarked ? { ...keys, html: 'text' } : rule;
}

function sourceOf(
  { sync, zoned }: RecipeFeed,
  { url }: FeedSample,
  inferred: Proposal,
  find: FindField,
  guess: ReturnType<typeof guesser>,
): Proposal['source'] {
  const { timezone, ...others } = inferred.source;
  const given = { ...sync.source, ...(/^(https?|webcals?):/i.test(url) ? sync.request : {}) };
  const deleted = sync.deleted && ruleOf(sync.deleted, find);
  return {
    ...others,
    ...(timezone && !zoned ? { timezone } : {}),
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, guess(value, `source.${name}`)])),
    ...(deleted === undefined ? {} : { deleted: guess(deleted, 'deleted') }),
  };
}

/** Returns the first key that has a different value in each record of the sample. */
function keyOf(candidates: RecipeFeed['sync']['key'], { records }: FeedSample, find: FindField) {
  for (const candidate of candidates) {
    const fields = [candidate].flat().map(find);
    if (!fields.every((field) => field !== undefined)) continue;
    const readers = fields.map(compilePath);
    const values = records.map((record) => readers.map((read) => read(record.fields)));
    const isText = (value: unknown) => /^(string|number|bigint)$/.test(typeof value) && String(value).trim() !== '';
    const isUnique = new Set(values.map((parts) => parts.join('\n'))).size === values.length;
    if (isUnique && values.flat().every(isText)) return typeof candidate === 'string' ? fields[0] : fields;
  }
  return undefined;
}

/** Returns the inferred proposal without the parts that the recipe decides: attributes of the other resource, and times. */
function baseOf(
  inferred: Proposal,
  resource: Proposal['resource']['value'],
  decided: readonly string[],
  corrections: Corrections,
): Proposal {
  const isOther = inferred.resource.value !== resource;
  const hasTimes = decided.some((name) => timeAttributes.has(name));
  const kept = Object.entries(inferred.map).filter(
    ([name]) => isDecided(corrections, name) || !(hasTimes && timeAttributes.has(name)),
  );
  return {
    ...inferred,
    map: isOther ? {} : Object.fromEntries(kept),
    attachments: isOther ? {} : inferred.attachments,
    suggested: isOther ? {} : inferred.suggested,
    // Other questions are about dates.
    open: inferred.open.filter(({ line }) => isStatus(line) || !(isOther || hasTimes || line === 'resource')),
  };
}

function warningsOf({ sync, warnings }: RecipeFeed, sample: FeedSample, map: Proposal['map']): string[] {
  const known = warnings.filter(({ field }) => field === undefined || hasValue(sample, field));
  const lacking = ['title', 'start'].filter((name) => Object.hasOwn(sync.map, name) && !Object.hasOwn(map, name));
  return [...known.map(({ text }) => text), ...lacking.map((name) => `the feed has no field for ${name}`)];
}
