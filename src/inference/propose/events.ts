import { choose, type Role } from '../columns/choose.ts';
import { type Column, shareThat } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { datesOf } from '../dates/read-column.ts';
import { coverage, textRule, yesNoRule } from '../fields/rules.ts';
import { categoryFit, descriptionFit, imageFit, isAddress, placeFit, urlFit, yesNoFit } from '../fields/values.ts';
import type { Answers, Guess, ProposedRule } from '../proposal.ts';
import { type EventTimes, eventTimes } from '../times/event-times.ts';
import { titleOf, titleRole } from './event-title.ts';

/** Attributes that an inference proposes for a resource. */
export interface Attributes {
  map: Record<string, Guess<ProposedRule>>;
  attachments: Record<string, Guess<string>>;
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
  title: titleRole,
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

/** Proposes the attributes of events. */
export function eventAttributes(
  columns: readonly Column[],
  answers: Answers,
): Attributes & { times: EventTimes; titleScore: number } {
  const times = eventTimes(columns, answers);
  const free = columns.filter((column) => !times.used.has(column));
  const chosen = choose<TextAttribute>(free, roles);
  const title = titleOf(free, chosen);
  if (title?.isWhole && title.column === chosen.get('description')?.column) chosen.delete('description');
  const map: Attributes['map'] = title ? { title: title.rule } : {};
  const suggested: Attributes['suggested'] = {};
  const description = chosen.get('description')?.column;
  if (description) map.description = textRule(description, { showsHtml: true });
  for (const [name, rule] of times.map) map[name] = rule;
  for (const name of ['isFeatured', 'repeats'] as const) {
    const column = chosen.get(name)?.column;
    if (column) map[name] = yesNoRule(column);
  }
  for (const name of ['category', 'location'] as const) {
    const column = chosen.get(name)?.column;
    if (column) map[name] = textRule(column, { showsPlaceholders: name === 'location' });
  }
  for (const name of ['url', 'organizer', 'price', 'contact'] as const) {
    const column = chosen.get(name)?.column;
    // The attribute `url` of events belongs to the CMS.
    if (column) suggested[name === 'url' ? 'link' : name] = textRule(column);
  }
  const image = chosen.get('image')?.column;
  const attachments: Attributes['attachments'] = image
    ? { image: { value: image.path, evidence: coverage(image) } }
    : {};
  const content = [
    title?.column,
    times.start,
    ...['time.start', 'location'].map((name) => columnOf(map[name], columns)),
  ];
  return {
    map,
    attachments,
    suggested,
    names: [],
    times,
    titleScore: title?.score ?? 0,
    content: content.filter((column) => column !== undefined),
  };
}

/** Returns the column that a rule reads. */
function columnOf(rule: Guess<ProposedRule> | undefined, columns: readonly Column[]): Column | undefined {
  const path = typeof rule?.value === 'string' ? rule.value : rule?.value.field;
  return columns.find((column) => column.path === path);
}
