import { z } from 'zod';
import { days } from './scalars.ts';

const DAY_MS = 86_400_000;

const keptFor = (usual: number, description: string) =>
  days.default(usual).meta({ description, absent: `\`${usual}d\`` });

/** The keys of `retention`. */
export const retentionKeys = z.strictObject({
  runs: keptFor(90, 'runs and plans; the newest 20 of each sync are kept, and those running or waiting'),
  rejects: keptFor(14, 'rejected records of the last 50 runs of a sync at most; those of the last run are always kept'),
  beforeImages: keptFor(30, 'previous versions of changed records, for `undo`; `0d` keeps none'),
  files: keptFor(180, 'which files were uploaded, after the last source that has them dropped them'),
});

/** How long the ledger keeps data that it does not need for delivery. */
export const retention = retentionKeys.prefault({}).transform(({ runs, rejects, beforeImages, files }) => ({
  runsMs: runs * DAY_MS,
  rejectsMs: rejects * DAY_MS,
  beforeImagesMs: beforeImages * DAY_MS,
  filesMs: files * DAY_MS,
}));
