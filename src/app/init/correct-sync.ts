import { type Correction, correct, parseCorrection } from '../../inference/correct/correct.ts';
import { type Corrections, NO_CORRECTIONS } from '../../inference/correct/corrections.ts';
import { fieldPaths } from '../../inference/review/review.ts';
import type { OpenSource } from './open-source.ts';
import { type KnownRecipes, type ProposedSync, proposeSync } from './propose-sync.ts';

/** A proposed sync with the corrections that it contains. */
export interface CorrectedSync {
  proposed: ProposedSync;
  corrections: Corrections;
}

/**
 * Proposes a sync for a feed, and corrects it line by line.
 * @param texts corrections as people write them: `start: [Datum, Uhrzeit]`
 * @throws CodedError FF_USAGE for a correction that is not possible; as `proposeSync`
 */
export async function correctSync(
  source: OpenSource,
  recipes: KnownRecipes,
  signal: AbortSignal,
  texts: readonly string[] = [],
): Promise<CorrectedSync> {
  let corrected: CorrectedSync = {
    proposed: await proposeSync(source, recipes, signal),
    corrections: NO_CORRECTIONS,
  };
  // Other options of the connector give other fields, which the next correction may name.
  for (const text of texts) {
    corrected = await correctLine(source, recipes, signal, corrected, parseCorrection(text));
  }
  return corrected;
}

/** Corrects one line of a proposed sync. Throws as `correctSync` does. */
export async function correctLine(
  source: OpenSource,
  recipes: KnownRecipes,
  signal: AbortSignal,
  { proposed, corrections }: CorrectedSync,
  correction: Correction,
): Promise<CorrectedSync> {
  const next = correct(corrections, correction, fieldPaths(proposed.sample));
  return { proposed: await proposeSync(source, recipes, signal, next), corrections: next };
}
