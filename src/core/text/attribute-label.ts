import { readOnlyAttributes, standardAttributes } from '../attributes.ts';

const names = new Set([
  ...Object.values(standardAttributes).flatMap(Object.keys),
  ...Object.values(readOnlyAttributes).flat(),
]);

/** Returns an attribute as people read it: "end date" for `endDate`, "multi day" for `isMultiDay`. A custom one keeps its name. */
export function attributeLabel(name: string): string {
  if (!names.has(name)) return name;
  return name
    .replace(/^is(?=[A-Z])/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
}

/** Returns attributes as people read them, in a list. */
export function attributeLabels(attributes: readonly string[]): string {
  return attributes.map(attributeLabel).join(', ');
}

/** Returns a sentence with attributes as people read them. */
export function withLabels(text: string): string {
  return text
    .replaceAll(/(?<![.\w])[a-z]+(?:[A-Z][a-z]+)+\b/g, attributeLabel)
    .replaceAll(/\btime\.(start|end)\b/g, '$1 time');
}

/** Returns the name of the attribute with a label. */
export function attributeWithLabel(label: string): string {
  return [...names].find((name) => attributeLabel(name) === label.trim().toLowerCase()) ?? label;
}
