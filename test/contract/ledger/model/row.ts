/** A call that the CMS may have applied, or that it answered with an error. */
export interface Attempt {
  /** Null: nothing was sent, but the CMS may have an item of this version. */
  method: 'POST' | 'PATCH' | null;
  doubt: 'sent' | 'refused' | 'elsewhere';
  version: number;
}

/** What the ledger has of a record, by its own clock. */
export interface Row {
  key: string;
  status: string;
  cmsId: number | null;
  delivered: number | null;
  knows: string;
  open: Attempt[];
  due: boolean;
  lease: 'none' | 'aged' | 'fresh';
}

/** What is known of the item of a record. */
export function knowledgeOf({
  cmsId,
  delivered,
  open,
}: { open: readonly Attempt[] } & Pick<Row, 'cmsId' | 'delivered'>) {
  if (cmsId !== null) return delivered === null ? 'found' : 'known';
  if (open.length === 0) return 'none';
  return open.every(({ doubt }) => doubt === 'refused') ? 'refused' : 'maybe';
}
