import { z } from 'zod';
import { number, words } from './scalars.ts';

const limit = z.strictObject({
  percent: number(z.number().min(0).max(100)).optional(),
  atLeast: number(z.int().min(1)).optional(),
});

const limitOr = z.union([z.literal(false), limit]).optional();

/** The keys of `changes`. */
export const changesKeys = z.strictObject({
  threshold: limitOr.meta({
    description: 'records in which anything changes',
    absent: '`{ percent: 50, atLeast: 20 }`',
  }),
  core: limitOr.meta({
    description: 'records whose title, day or time changes; accounts: e-mail address or user name',
    absent: '`{ percent: 20 }`, but as `threshold` if that is set',
  }),
  emptied: limitOr.meta({
    description: 'records that lose their value of an attribute, of those that have one',
    absent: '`{ percent: 25, atLeast: 5 }`',
  }),
  garbled: limitOr.meta({
    description: 'records whose letters turn wrong (`CafÃ©`), of those with letters outside ASCII',
    absent: '`{ percent: 50, atLeast: 3 }`',
  }),
  churn: limitOr.meta({
    description: 'records that are missing while about as many are new',
    absent: '`{ percent: 50, atLeast: 5 }`',
  }),
  ignore: words.optional().describe('attributes whose changes do not count, such as a counter: `[seatsLeft]`'),
});
