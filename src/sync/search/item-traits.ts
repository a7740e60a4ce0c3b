import type { CmsItem } from '../../cms/client.ts';
import type { Payload, Resource } from '../../core/record.ts';
import { externalIdOf, externalIdOn } from '../items/external-id.ts';
import { matchKey } from './match-key.ts';

/** Something that tells an item of the CMS or a record, as text: two that share one may be the same. */
export type Trait = string;

/** What an item must show to be the one that a create with some content made. */
export interface Likeness {
  /** With one of these it is. */
  same: Trait[];
  /** With one of these alone nobody can tell. */
  similar: Trait[];
}

type Attributes = Readonly<Record<string, unknown>>;

/** The trait of an item that carries the record's external id. */
export function externalIdTrait(record: { sync: string; key: string }): Trait {
  return `mark ${externalIdOf(record)}`;
}

/**
 * The traits of an item: its external id, else what makes such an item itself. One that carries the external id of
 * another record is never taken for this one, however much alike they are.
 */
export function itemTraits(resource: Resource, item: CmsItem, externalId: string | undefined): Trait[] {
  const mark = externalIdOn(item, externalId);
  if (mark !== undefined) return [`mark ${mark}`];
  if (resource === 'events') return firstOf(toldBy(item, 'title', 'date', 'time.start'), toldBy(item, 'title', 'date'));
  return [...toldBy(item, 'email', 'username'), ...toldBy(item, 'email'), ...toldBy(item, 'username')];
}

/**
 * What tells an item without an external id as one with this content: of an event, title, day and start (only the first two
 * where the CMS shows no start); of an account, what it has of email and username.
 */
export function likenessOf(resource: Resource, content: Payload): Likeness {
  if (resource === 'events') {
    const same = [...toldBy(content, 'title', 'date', 'time.start'), ...toldBy(content, 'title', 'date')];
    return { same, similar: [] };
  }
  const [email, username] = [toldBy(content, 'email'), toldBy(content, 'username')];
  return { same: firstOf(toldBy(content, 'email', 'username'), email, username), similar: [...email, ...username] };
}

function firstOf(...traits: Trait[][]): Trait[] {
  return traits.find(({ length }) => length > 0) ?? [];
}

/** None where one of the attributes is empty. */
function toldBy(attributes: Attributes, ...names: string[]): Trait[] {
  const told = matchKey(names, attributes);
  return told === undefined ? [] : [`${names.join()} ${told}`];
}
