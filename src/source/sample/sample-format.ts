import type { Question } from '../../inference/proposal.ts';

/** How a feed is to be read. */
export interface SampleFormat {
  connector: string;
  /** The options that its sync needs. */
  options: Readonly<Record<string, unknown>>;
  /** The options that the sample is read with, if it needs more. */
  reading?: Readonly<Record<string, unknown>>;
  /** Evidence for `connector` and for the options, by key. */
  evidence: Readonly<Record<string, string>>;
  /** The zone that the document names, unchecked. */
  timezone?: string;
  open?: readonly Question[];
}
