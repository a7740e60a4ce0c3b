import { expect, test } from 'vitest';
import { masked } from '../../../../src/core/text/masked.ts';

test.each([
  ['ada.lovelace@example.edu', 'a***@example.edu'],
  ['staff/<Ada+1@mail.example.edu>, ö@example.edu', 'staff/<A***@mail.example.edu>, ö***@example.edu'],
  ['no address @ all', 'no address @ all'],
  ['EVT-12', 'EVT-12'],
])('The key %s is shown as %s', (text, shown) => {
  expect(masked(text)).toBe(shown);
});
