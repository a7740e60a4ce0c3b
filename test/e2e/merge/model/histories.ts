import fc from 'fast-check';
import type { History } from './play.ts';
import { steps } from './steps.ts';

const events = fc.array(fc.nat(60), { maxLength: 4, size: 'max' });
export const histories: fc.Arbitrary<History> = fc.record({
  kinds: fc.constantFrom<History['kinds']>(
    ['csv', 'csv'],
    ['ical', 'csv'],
    ['csv', 'ical'],
    ['ical', 'csv', 'csv'],
    ['csv', 'csv', 'csv'],
  ),
  policy: fc.constantFrom('delete', 'delete', 'delete', 'keep'),
  after: fc.integer({ min: 1, max: 2 }),
  begin: fc.array(events, { minLength: 3, maxLength: 3 }),
  steps,
});
