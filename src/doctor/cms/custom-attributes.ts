import type { CmsItem } from '../../cms/client.ts';
import { isUnfilled, standardAttributes } from '../../core/attributes.ts';
import type { Payload } from '../../core/record.ts';
import type { Habit } from '../../ledger/target/habits.ts';
import type { Ignored } from '../../ledger/target/ignored.ts';
import { valueAt } from '../../sync/items/values.ts';
import { type Finding, ok } from '../findings/finding.ts';
import type { CmsList } from './cms-list.ts';

/**
 * Compares the custom attributes that the syncs map with live items: a CMS ignores attributes that it does not have.
 * @param known attributes that the site has for certain
 */
export function* checkCustomAttributes(
  { name, resource, syncs }: CmsList,
  known: readonly string[],
  items: readonly CmsItem[],
  delivered: ReadonlyMap<number, Payload>,
): Generator<Finding> {
  const check = 'cms.custom-attributes';
  const standard = Object.keys(standardAttributes[resource]).map(topOf);
  const mapped = syncs.flatMap(({ map, attachments }) => [...Object.keys(map ?? {}), ...Object.keys(attachments)]);
  const sent = [...delivered.values()].flatMap((payload) => Object.keys(payload));
  const isCustom = (attribute: string) =>
    !standard.includes(attribute) && !known.includes(attribute) && attribute !== 'password';
  const custom = [...new Set([...mapped, ...sent].map(topOf))].filter(isCustom);
  if (custom.length === 0) return;
  const unseen = custom.filter((attribute) => items.every((item) => isUnfilled(valueAt(item, attribute))));
  if (unseen.length === 0) {
    yield ok(check, `${name}: live items have the custom attributes ${custom.join(', ')}.`);
    return;
  }
  const wasSent = unseen.filter((attribute) => {
    return items.some(({ id }) => !isUnfilled(delivered.get(id)?.[attribute]));
  });
  const message = `${name}: none of the ${items.length} checked items has a value in ${unseen.join(', ')}.`;
  if (wasSent.length === 0) {
    yield ok(check, message, 'If the CMS has no such attribute, it ignores what is sent. The first run reports it.');
    return;
  }
  yield {
    check,
    is: 'warning',
    message: `${message} feedferry has sent ${wasSent.join(', ')}.`,
    follows: 'The CMS ignores the attribute, or editors have removed its values.',
    remedy: `Create a custom attribute with this layout key in the CMS, then run \`feedferry verify --heal\`. Or remove it from the map.`,
  };
}

/** Reports what deliveries have learnt of how the CMS treats attributes. */
export function* checkHabits(
  { name }: CmsList,
  habits: readonly Habit[],
  ignoredNow: readonly Ignored[],
): Generator<Finding> {
  const check = 'cms.habits';
  const attributes = (which: Habit['habit']) =>
    habits.flatMap(({ attribute, habit }) => (habit === which ? [attribute] : [])).join(', ');
  const [rewritten, replaces] = [attributes('rewritten'), attributes('replaces')];
  const ignored = ignoredNow
    .map(({ attribute, items, of }) => `${attribute} (${items} of ${of} items lack it)`)
    .join(', ');
  if (rewritten) {
    const follows = 'Its version of a value counts as the delivered one.';
    yield ok(check, `${name}: the CMS has shown other values than were sent in ${rewritten}.`, follows);
  }
  if (ignored) {
    yield {
      check,
      is: 'warning',
      message: `${name}: the CMS ignores ${ignored}.`,
      follows: 'Records count as delivered without it, and `feedferry verify` as unverified.',
      remedy: 'Create the attribute in the CMS, then run `feedferry verify --heal`. Or remove it from the map.',
    };
  }
  if (replaces) {
    yield {
      check,
      is: 'problem',
      message: `${name}: a PATCH has emptied attributes that it did not send: ${replaces}.`,
      follows: 'Runs that change items stop at the first one.',
      code: 'FF_CMS_PATCH_REPLACES',
      remedy: 'Ask the provider of the CMS to make PATCH keep the attributes that it does not name.',
    };
  }
}

function topOf(path: string): string {
  return path.replace(/\..*/s, '');
}
