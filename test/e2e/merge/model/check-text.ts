import { type Comparison, isAsked, isFree } from './comparison.ts';
import { areAsked, isAnswered, isLive, isPresent, likeness, sameIn } from './rules.ts';
import { isCurrent, type SeenItem } from './seen.ts';
import type { Known, World } from './world.ts';

/** Checks the text of an item, which `fill` may take from other sources than its publisher. */
export function checkText(item: SeenItem, publisher: Known, comparison: Comparison): string[] {
  const { world } = comparison;
  if (!isLive(world, publisher) || publisher.orphan || !isCurrent(item, publisher)) return [];
  const expected = expectedTexts(item, publisher, comparison);
  if (!expected || expected.includes(item.text)) return [];
  return [`item ${item.id} (${item.tag}) has the text "${item.text}" instead of "${expected.join('" or "')}"`];
}

/** Returns the texts that the rules allow; undefined: any. */
function expectedTexts(item: SeenItem, publisher: Known, comparison: Comparison): string[] | undefined {
  const { world } = comparison;
  const fill = world.fill.filter((name) => world.sources.some((source) => source.name === name));
  if (fill.length > 0 && isAnswered(world, publisher)) return undefined;
  const kept = keptText(item, comparison);
  for (const source of fill) {
    if (source === publisher.source) {
      if (publisher.entry.text !== '') return [publisher.entry.text, ...kept];
      continue;
    }
    const [one, ...more] = sameIn(world, source, publisher);
    if (!one) continue;
    if (
      more.length > 0 ||
      sameIn(world, publisher.source, one).length > 1 ||
      !isFree(one, comparison) ||
      !isPresent(one)
    )
      return undefined;
    if (one.entry.text !== '') return [one.entry.text, ...kept];
  }
  return [publisher.entry.text, ...kept];
}

/** The text that a record had given before it was no longer the same event: it stays. */
function keptText(item: SeenItem, { world, before, now }: Comparison): string[] {
  const earlier = before.items.find(({ id }) => id === item.id);
  if (!earlier || earlier.text !== item.text) return [];
  const giver = giverOf(world, item.text);
  const isAstray = giver && likeness(giver.entry, item) !== 'same' && isLive(world, giver);
  return isAstray && (!areAsked(world) || isAsked(giver, { world, before, now }) || isAnswered(world, giver))
    ? [item.text]
    : [];
}

function giverOf(world: World, text: string): Known | undefined {
  return [...world.known.values()].find(({ id }) => world.texts.get(id)?.has(text) && text !== '');
}
