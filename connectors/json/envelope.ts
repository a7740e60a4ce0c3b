import { createErrorReports } from '../../src/core/paging/error-signs.ts';
import type { Scalar, ValueKeys } from '../../src/core/paging/names.ts';
import { type Findings, type PageFacts, weigh } from '../../src/core/paging/page-facts.ts';
import { noteValue } from '../../src/core/paging/page-signs.ts';
import type { DocumentFacts } from '../../src/core/source-reading.ts';

export type Envelope = ReturnType<typeof createEnvelope>;

/** Collects what a document says about itself beside its items. */
export function createEnvelope() {
  const found: Findings = { facts: {} };
  const errors = createErrorReports();
  return {
    add(keys: ValueKeys, value: Scalar): void {
      noteValue(found, { keys, value });
      errors.note(keys, value);
    },
    /** @param itemKeys the place of the items */
    facts(itemKeys?: ValueKeys): PageFacts {
      const error = errors.first(itemKeys);
      return { ...weigh(found), ...(error !== undefined && { error }) };
    },
  };
}

/** Returns the facts of a feed from one page, or from the last of several. */
export function factsOf(page: PageFacts, items: number, pagesRead = 1): DocumentFacts {
  const { total, count, totalAt, pageCount, more } = page;
  const declared = total ?? count;
  return {
    items,
    ...(declared === undefined ? {} : { totals: [declared], totalAt }),
    ...(pageCount === undefined ? {} : { pages: { read: pagesRead, declared: pageCount } }),
    more,
  };
}
