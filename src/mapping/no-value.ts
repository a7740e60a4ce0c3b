import { noValueIn } from '../core/text/no-value.ts';
import type { Warn } from './coerce.ts';

/** Warns of a text that says only that there is no value. It is published, because it may be a name. */
export function warnOfNoValue(text: string, warn: Warn): void {
  const word = noValueIn(text);
  if (word === undefined) return;
  const shown = JSON.stringify(word);
  const remedy = `To leave it out, add \`empty: [${shown}]\` to the rule`;
  warn(`${shown} is published as it is, although it says that there is no value. ${remedy}`, 'no value');
}
