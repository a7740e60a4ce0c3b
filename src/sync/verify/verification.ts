import type { CodedError } from '../../core/errors.ts';
import type { RunReport } from '../../core/run.ts';
import type { LostItem } from '../../ledger/plans/adoptions.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Drift, DriftCause } from './compare-item.ts';

/** What the verification of one sync has found. */
export interface Verification {
  sync: string;
  /** Number of items in the list of the CMS, including those of others. */
  items: number;
  /** Requests that reading the list took. Syncs with the same list share these requests. */
  requests: number;
  /** Records that the CMS has exactly as they were delivered and as they are desired. */
  inSync: number;
  drift: Drift[];
  /** Attributes that were delivered and that the CMS ignores, and how many items lack each. */
  unverified: Array<{ attribute: string; items: number }>;
  certificate: Certificate;
  /** Why the sync could not be verified at all. */
  error?: NonNullable<RunReport['error']>;
}

/** What a verification has proven, when, and for which target. */
export interface Certificate {
  /** Whether every record was judged, and the CMS has what the counts say; otherwise `reason` says why not. */
  proven: boolean;
  reason?: string;
  /** ISO instant of the beginning. */
  time: string;
  /** Address of the site. */
  target: string;
  /** Calendar of the site. */
  instance?: string;
  /** Attribute with the external ids; absent: orphans, and copies of items, cannot be recognised. */
  externalId?: string;
  /** Hash of everything in the config that decides what is delivered. */
  config: string;
  counts: Record<DriftCause, number> & {
    /** Records that should be in the CMS, or are. */
    records: number;
    inSync: number;
    /** Records that were being delivered meanwhile. */
    moving: number;
    /** Records for which the list does not show whether they differ, or whose items lack attributes that the CMS ignores. */
    unverified: number;
  };
}

/** A verification, and what is needed to repair its differences. */
export interface Verified {
  context: RunContext;
  result: Verification;
  /** When the verification began, in ms since 1970 by the ledger's clock. */
  beganAt: number;
  /** Items with an external id of the sync that belong to no record. */
  orphans: LostItem[];
  /** Key → attributes of the record that the CMS ignores. */
  ignored: ReadonlyMap<string, readonly string[]>;
  /** Whether the list of the CMS can be believed. */
  isListProven: boolean;
}

const CAUSES: DriftCause[] = ['edited', 'deleted', 'doubled', 'orphan', 'fileMissing', 'undelivered'];

function countCauses(drift: readonly Drift[]): Record<DriftCause, number> {
  const counts = CAUSES.map((cause) => [cause, drift.filter((each) => each.cause === cause).length]);
  return Object.fromEntries(counts);
}

/** @param reasons why the list does not prove everything */
export function certify(
  { sync, target, fingerprint }: RunContext,
  beganAt: number,
  drift: readonly Drift[],
  sums: Pick<Certificate['counts'], 'records' | 'inSync' | 'moving' | 'unverified'>,
  reasons: readonly string[],
): Certificate {
  return {
    proven: reasons.length === 0,
    ...(reasons.length > 0 && { reason: reasons.join('; ') }),
    time: new Date(beganAt).toISOString(),
    target: target.baseUrl,
    ...(sync.instance !== undefined && { instance: sync.instance }),
    ...(target.externalId !== undefined && { externalId: target.externalId }),
    config: fingerprint.replace(/\..*/, ''),
    counts: { ...sums, ...countCauses(drift) },
  };
}

/** The verification of a sync that could not be done. */
export function failedVerification(context: RunContext, { code, message, remedy }: CodedError): Verified {
  const sums = { records: 0, inSync: 0, moving: 0, unverified: 0 };
  const beganAt = context.runtime.now();
  const certificate = certify(context, beganAt, [], sums, [message]);
  const result = { sync: context.sync.name, items: 0, requests: 0, inSync: 0, drift: [], unverified: [], certificate };
  const nothing = { orphans: [], ignored: new Map(), isListProven: false };
  return { context, beganAt, ...nothing, result: { ...result, error: { code, message, remedy } } };
}
