import { timesOf } from './event-times.ts';
import { extensionOf, extensionsOf, isOwn, textAt } from './extensions.ts';
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
    ...pictureOf(all('enclosure'), children),
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

/** The first picture of an item, also one of Media RSS, which has a description inside or beside it, or in its group. */
function pictureOf(enclosures: readonly Element[], children: readonly Element[]) {
  const isPicture = ({ attributes: { type, medium } }: Element) =>
    type?.startsWith('image/') ?? (medium === undefined || medium === 'image');
  const groups = [children, ...mediaOf(children, 'group').map(childrenOf)].map((media) => ({
    pictures: [...mediaOf(media, 'content').filter(isPicture), ...mediaOf(media, 'thumbnail')],
    caption: captionOf(media),
  }));
  const found = groups.find(({ pictures }) => pictures.some(({ attributes }) => attributes.url));
  const picture = found?.pictures.find(({ attributes }) => attributes.url);
  const enclosed = enclosures.find(({ attributes }) => attributes.type?.startsWith('image/'))?.attributes.url;
  const caption = (picture && captionOf(childrenOf(picture))) ?? found?.caption;
  const image = enclosed ?? picture?.attributes.url;
  return { image, imageCaption: image === picture?.attributes.url ? caption : undefined };
}

function captionOf(media: readonly Element[]): string | undefined {
  return mediaOf(media, 'description')
    .map(elementText)
    .find((text) => text !== '');
}

function mediaOf(children: readonly Element[], name: string): Element[] {
  return children.filter((child) => child.name === name && extensionOf(child) === 'media');
}
