import { z } from 'zod';
import { acknowledgedView, instant, problemView, view } from './shared.ts';

/** Why a record and its item differ. */
export const differenceCause = z.enum(['edited', 'deleted', 'doubled', 'orphan', 'fileMissing', 'undelivered']);

/** A difference between a record and its item that the last verification with a certain result has found. */
const verifiedDifference = z.object({
  key: z.string(),
  title: z.string(),
  cause: differenceCause,
  cmsId: z.number().optional(),
  /** Address at which people see the item in the CMS. */
  link: z.string().optional(),
  /** The attributes that differ; empty: the item as a whole. */
  attributes: z.array(z.string()),
  /** The record of another sync whose item looks like this one. */
  with: z.object({ sync: z.string(), key: z.string(), cmsId: z.number() }).optional(),
  /** Why the record, or a file of it, was not delivered. */
  error: z.object({ code: z.string(), reason: z.string() }).optional(),
  acknowledged: acknowledgedView.optional(),
  /** Delivered since it was found, or never delivered: a record without its file is counted as such. Absent: it is open. */
  since: z.enum(['repaired', 'undelivered']).optional(),
  /** Of a double: what a person can do. */
  remedy: z.string().optional(),
  /** A repair leaves it: it is a double, or the sync does not create items again that were deleted in the CMS. */
  isLeft: z.literal(true).optional(),
});

/** The last verification of a sync, and the differences. */
export const verificationView = view('Verification', {
  sync: z.string(),
  /** Absent: the sync was never verified. */
  beganAt: instant.optional(),
  /** Absent while the verification is in progress. */
  endedAt: instant.optional(),
  /** The person who asked for it; absent: a schedule did. */
  askedBy: z.string().optional(),
  /** Whether the CMS was proven to have what was delivered, apart from the differences; absent: it is not known. */
  proven: z.boolean().optional(),
  /** Why not everything is proven. */
  reason: z.string().optional(),
  /** Records that should be in the CMS, those exactly as delivered, those that could not be compared, and differences by cause. */
  counts: z
    .object({ records: z.number(), inSync: z.number(), moving: z.number(), unverified: z.number() })
    .catchall(z.number())
    .optional(),
  /** Why the sync could not be verified at all. */
  error: problemView.optional(),
  /** When the verification began that has found the differences: an earlier one if the last one had no certain result. */
  foundAt: instant.optional(),
  /** How many there are. */
  total: z.number(),
  /** How many of them still ask for attention. */
  open: z.number(),
  differences: z.array(verifiedDifference),
  next: z.string().optional(),
});

export type DifferenceCauseName = z.output<typeof differenceCause>;
export type VerifiedDifferenceView = z.output<typeof verifiedDifference>;
export type VerificationView = z.output<typeof verificationView>;
