import { expect, test } from 'vitest';
import { attributeLabel, attributeWithLabel } from '../../../../src/core/text/attribute-label.ts';

test.each([
  ['title', 'title'],
  ['endDate', 'end date'],
  ['isMultiDay', 'multi day'],
  ['phoneTollFree', 'phone toll free'],
  ['source_key', 'source_key'],
  ['myRoom', 'myRoom'],
])('The attribute %s reads "%s", and is found by that', (name, label) => {
  expect(attributeLabel(name)).toBe(label);
  expect(attributeWithLabel(label)).toBe(name);
});
