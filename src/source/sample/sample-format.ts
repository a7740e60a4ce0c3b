import type { Question } from '../../inference/proposal.ts';

/** How a feed is to be read. */
export interface SampleFormat {
  connector: string;
  /** The options that the sync of the feed needs. */
  options: Readonly<Record<string, unknown>>;
  /** The options for reading the sample, if they differ. */
  reading?: Readonly<Record<string, unknown>>;
  /** Evidence for `connector` and for the options, by key. */
  evidence: Readonly<Record<string, string>>;
  /** The zone that the document names, unchecked. */
  timezone?: string;
  open?: readonly Question[];
}
