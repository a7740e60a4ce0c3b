import { type Choice, candidates, choose, type Role } from '../columns/choose.ts';
import { type Column, countDistinct, shareThat } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { isId } from '../columns/ids.ts';
import { nameScore } from '../columns/names.ts';
import { allChosenColumns, type Corrections, lineOf } from '../correct/corrections.ts';
import { datesOf } from '../dates/read-column.ts';
import { chosenTextRule } from '../fields/combined-rule.ts';
import { coverage, yesNoRule } from '../fields/rules.ts';
import {
  categoryFit,
  descriptionFit,
  imageFit,
  isAddress,
  placeFit,
  titleFit,
  urlFit,
  yesNoFit,
} from '../fields/values.ts';
import type { Guess, ProposedFile, ProposedRule } from '../proposal.ts';
import { type EventTimes, eventTimes } from '../times/event-times.ts';

/** Attributes that an inference proposes for a resource. */
export interface Attributes {
  map: Record<string, Guess<ProposedRule>>;
  attachments: Record<string, Guess<ProposedFile>>;
  /** Custom attributes that a site may have. */
  suggested: Record<string, Guess<ProposedRule>>;
  /** Fields that identify a record although they are not called an id. */
  names: Column[];
  /** Fields that identify a record if the feed has no id, best first. */
  content: Column[];
}

type TextAttribute =
  | 'title'
  | 'description'
  | 'image'
  | 'category'
  | 'location'
  | 'url'
  | 'organizer'
  | 'price'
  | 'contact'
  | 'isFeatured'
  | 'repeats';

const roles: Record<TextAttribute, Role> = {
  title: { names: eventNames.title, part: /tit(le|el|re|ulo|olo)\b/, fits: titleFit },
  description: { names: eventNames.description, part: /descri|beschreib|abstract/, fits: descriptionFit },
  image: {
    names: eventNames.image,
    part: /image|picture|photo|foto|bild|poster|affiche|flyer|cover|thumb|banner/,
    fits: imageFit,
  },
  category: { names: eventNames.category, fits: categoryFit },
  location: { names: eventNames.location, fits: placeFit },
  url: { names: eventNames.url, fits: urlFit },
  organizer: { names: eventNames.organizer, fits: placeFit },
  price: {
    names: eventNames.price,
    fits: (column) => (datesOf(column) === undefined && shareThat(column, isAddress) < 0.5 ? 1 : 0),
  },
  contact: { names: eventNames.contact, fits: () => 0.9 },
  isFeatured: { names: eventNames.isFeatured, fits: yesNoFit },
  repeats: { names: eventNames.repeats, fits: yesNoFit },
};

/** Attributes whose texts visitors see, so that words without a value, such as TBA, are left out or shown. */
const textOptions: Partial<Record<TextAttribute, Parameters<typeof chosenTextRule>[1]>> = {
  title: { showsPlaceholders: true, separator: ' – ' },
  description: { showsHtml: true, separator: '\n\n' },
  location: { showsPlaceholders: true },
};
/** Lowest score of a name that surely means a place. */
const SURE_PLACE = 0.6;
/** Score of a title that is not recognised by its name. */
const UNNAMED_TITLE = 0.2;
const standard = new Set(['title', 'description', 'isFeatured', 'repeats', 'category', 'location', 'image']);
const yesNoAttributes = ['isFeatured', 'repeats'] as const;
const customAttributes = ['url', 'organizer', 'price', 'contact'] as const;

/** Proposes the attributes of events. Fields that a person has chosen for an attribute are not proposed for another one. */
export function eventAttributes(
  columns: readonly Column[],
  corrections: Corrections,
): Attributes & { times: EventTimes; titleScore: number } {
  const said = allChosenColumns(corrections, columns);
  for (const line of said.keys()) if (isTimeLine(line)) said.delete(line);
  const isSaid = new Set([...said.values()].flat());
  const times = eventTimes(
    columns.filter((column) => !isSaid.has(column)),
    corrections,
  );
  const free = columns.filter((column) => !times.used.has(column) && !isSaid.has(column));
  const chosen = choose<TextAttribute>(
    free.filter(({ names }) => nameScore(names, eventNames.caption) < SURE_CAPTION),
    Object.fromEntries(Object.entries(roles).filter(([name]) => !said.has(name))),
  );
  const isNamed = said.has('title') || chosen.has('title');
  const varied = isNamed ? undefined : variedText(free, chosen);
  if (varied) chosen.set('title', { column: varied, score: UNNAMED_TITLE });
  const map: Attributes['map'] = {};
  const suggested: Attributes['suggested'] = {};
  const ruleOf = (name: TextAttribute) => chosenTextRule(columnsFor(name), textOptions[name]);
  for (const name of ['title', 'description'] as const) {
    const rule = ruleOf(name);
    if (rule) map[name] = rule;
  }
  for (const [name, rule] of times.map) map[name] = rule;
  for (const name of yesNoAttributes) {
    const [column] = columnsFor(name);
    if (column) map[name] = yesNoRule(column);
  }
  for (const name of ['category', 'location'] as const) {
    const rule = ruleOf(name);
    if (rule) map[name] = rule;
  }
  const place = map.location || said.has('location') ? undefined : placeOfParts(free);
  if (place) map.location = place;
  for (const name of customAttributes) {
    const rule = said.has(name) ? undefined : ruleOf(name);
    // The attribute `url` of events belongs to the CMS.
    if (rule) suggested[name === 'url' ? 'link' : name] = rule;
  }
  for (const [name, fields] of said) {
    const rule = standard.has(name) ? undefined : chosenTextRule(fields);
    if (rule) map[name] = rule;
  }
  const [image] = columnsFor('image');
  const alt = image && captionAmong(free, chosen);
  const attachments: Attributes['attachments'] = image
    ? { image: { value: alt ? { field: image.path, alt: alt.path } : image.path, evidence: coverage(image) } }
    : {};
  const content = [
    columnsFor('title')[0],
    times.start,
    ...['time.start', 'location'].map((name) => columnOf(map[name], columns)),
  ];
  return {
    map,
    attachments,
    suggested,
    names: [],
    times,
    titleScore: said.has('title') ? 1 : (chosen.get('title')?.score ?? 0),
    content: content.filter((column) => column !== undefined),
  };

  function columnsFor(name: TextAttribute): Column[] {
    const found = chosen.get(name)?.column;
    const isLesser = found && lesser[name]?.(found) ? lesser[name] : undefined;
    const taken = new Set([...chosen.values()].map(({ column }) => column));
    const others = isLesser ? candidates(free, roles[name]).map(({ column }) => column) : [];
    const better = others.find((column) => !taken.has(column) && !isLesser?.(column));
    if (better && !said.has(name)) return [better];
    return said.get(name) ?? (found ? [found] : []);
  }
}

/** Score of a name that is that of a caption and of nothing else. */
const SURE_CAPTION = 0.9;

/** Returns the field with the alternative text of the picture. */
function captionAmong(columns: readonly Column[], chosen: ReadonlyMap<string, Choice>): Column | undefined {
  const taken = new Set([...chosen.values()].map(({ column }) => column));
  const caption: Role = {
    names: eventNames.caption,
    fits: (column) => (shareThat(column, (text) => isAddress(text) || /^[\d\W]*$/.test(text)) > 0 ? 0 : 1),
  };
  return candidates(
    columns.filter((column) => !taken.has(column)),
    caption,
  )[0]?.column;
}

const streetWords = new Set('street st road rd avenue ave lane drive blvd boulevard way rue via'.split(' '));
const streetWithNumber = /(?:stra(?:ss|ß)e|str\.|weg|platz|allee|gasse|straat|gatan|vej) ?\d/i;

/** Returns whether a text is a street with a number, in English, French or Italian order, or in German, Dutch or Nordic order. */
function isStreet(text: string): boolean {
  const words = text.slice(0, 100).toLowerCase().split(/[\s,]/);
  return (/^\d{1,5}\w?,? /.test(text) && words.some((word) => streetWords.has(word))) || streetWithNumber.test(text);
}

/** Fields that are not taken beside others: small pictures, and a street if another field names the place. */
const lesser: Partial<Record<TextAttribute, (column: Column) => boolean>> = {
  image: ({ names }) => /thumb|small|mini|icon/i.test(names.join(' ')),
  location: (column) => shareThat(column, isStreet) > 0.5,
};

/** Parts of a place that visitors do not read. */
const technicalPart = /type|kind|slug|lang|zone|lat|lon|lng|geo|phone|tel$|mail|status|country|land$|url|web/i;

/** Joins the texts in the first field that is named as a place and has several parts, none of which names it alone: hall and city. */
function placeOfParts(columns: readonly Column[]): Guess<ProposedRule> | undefined {
  const parts = columns.filter(({ names }) => nameScore(names.slice(0, -1), eventNames.location) >= SURE_PLACE);
  const of = (column: Column) => column.names.slice(0, -1).join('\n');
  const texts = parts.filter(
    (column) =>
      column.filled > 0 &&
      of(column) === of(parts[0] ?? column) &&
      !isId(column) &&
      !technicalPart.test(column.names.at(-1) ?? '') &&
      placeFit(column) === 1,
  );
  return chosenTextRule(texts, { ...textOptions.location, why: 'the parts of a place' });
}

/** Returns the first text that differs in most records: the title, if no field is named so. */
function variedText(columns: readonly Column[], chosen: ReadonlyMap<string, Choice>): Column | undefined {
  const taken = new Set([...chosen.values()].map(({ column }) => column));
  const isOther = (column: Column) =>
    taken.has(column) || isId(column) || nameScore(column.names, eventNames.location) > 0;
  const isVaried = (column: Column) => titleFit(column) === 1 && countDistinct(column) > column.values.length / 2;
  return columns.find((column) => !isOther(column) && isVaried(column));
}

function isTimeLine(line: string): boolean {
  return ['start', 'end', 'allDay'].includes(lineOf(line));
}

/** Returns the column that a rule reads. */
function columnOf(rule: Guess<ProposedRule> | undefined, columns: readonly Column[]): Column | undefined {
  const path = typeof rule?.value === 'string' ? rule.value : rule?.value.field;
  return columns.find((column) => column.path === path);
}
