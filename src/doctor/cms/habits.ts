import type { Habit } from '../../ledger/target/habits.ts';
import type { Ignored } from '../../ledger/target/ignored.ts';
import { type Finding, ok } from '../findings/finding.ts';
import type { CmsList } from './cms-list.ts';

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
      remedy:
        'Create the attribute in the CMS, then run `feedferry verify --heal`. Or remove it from the map; alternative texts (`….alt`) with `target.altText: none`.',
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
