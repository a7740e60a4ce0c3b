import { expect, test } from 'vitest';
import { attributeChange } from '../../../src/queries/records/record.ts';

const delivered = { text: 'the last one' };

test.each([
  ['the last change wrote what was delivered', {}, [], 'the last one'],
  [
    'what an earlier change wrote is what the next one replaced',
    {},
    [{ before: { title: 'x' } }, { before: { text: 'second' } }],
    'second',
  ],
  ['the CMS has stored another value', { after: { text: 'its own' } }, [{ before: { text: 'second' } }], 'its own'],
  ['a later change without its image says nothing', {}, [{ before: null }], 'the last one'],
] as const)('%s', (_, change, since, to) => {
  expect(attributeChange('text', { before: { text: 'first' }, ...change, since, delivered })).toEqual({
    attribute: 'text',
    from: 'first',
    to,
  });
});
