import { timesOf } from './event-times.ts';
import { extensionsOf, isOwn, textAt } from './extensions.ts';
import { childrenOf, type Element, elementText } from './items.ts';
import { readMoment } from './moments.ts';

const places = [
  'xcal.location',
  'ev.location',
  'mec.location',
  'calendarEvent.Location',
  'georss.featurename',
  'georss.featureName',
];

/** Returns the fields of an item: those of RSS and Atom in one form, `start` and `end`, and those of extensions below their names. */
export function fieldsOf(item: Element): Record<string, unknown> {
  const children = childrenOf(item);
  const extensions = extensionsOf(children);
  const all = (name: string) => children.filter((child) => isOwn(child) && child.name === name);
  const text = (...names: string[]) => names.map((name) => all(name).map(elementText)[0]).find((one) => one);
  const extended = (...paths: string[]) => paths.map((path) => textAt(extensions, path)).find((one) => one);
  const link = linkOf(all('link')) ?? extended('xcal.url');
  const published = text('pubDate', 'published', 'issued') ?? extended('dc.date');
  const updated = text('updated', 'modified');
  const fields = {
    id: text('guid', 'id') ?? extended('xcal.uid') ?? aboutOf(item) ?? link,
    title: text('title') ?? extended('xcal.summary'),
    link,
    description:
      extended('content.encoded') ?? text('content', 'description', 'summary') ?? extended('xcal.description'),
    ...timesOf(item, extensions, published),
    location: extended(...places),
    organizer: extended('xcal.organizer', 'ev.organizer'),
    categories: categoriesOf(all('category')),
    author: text('author') ?? extended('dc.creator'),
    image: imageOf(all('enclosure')) ?? extended('media.content', 'media.thumbnail'),
    published: published && (readMoment(published) ?? published),
    updated: updated && (readMoment(updated) ?? updated),
  };
  return { ...extensions, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}

/** Items of RSS 1.0 are named by an attribute. */
function aboutOf({ attributes }: Element): string | undefined {
  return Object.entries(attributes).find(([name]) => /(^|:)about$/.test(name))?.[1];
}

/** The link of RSS is a text; Atom has several, of which the one to the page has no other relation. */
function linkOf(links: readonly Element[]): string | undefined {
  const page = links.find(({ attributes }) => (attributes.rel ?? 'alternate') === 'alternate') ?? links[0];
  return page && (page.attributes.href ?? elementText(page) ?? undefined);
}

function categoriesOf(categories: readonly Element[]): string[] | undefined {
  const names = categories
    .map((one) => one.attributes.label ?? one.attributes.term ?? elementText(one))
    .filter((one) => one !== '');
  return names.length > 0 ? names : undefined;
}

function imageOf(enclosures: readonly Element[]): string | undefined {
  return enclosures.find(({ attributes }) => attributes.type?.startsWith('image/'))?.attributes.url;
}
