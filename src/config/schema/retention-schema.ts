import { z } from 'zod';
import { days } from './scalars.ts';

const DAY_MS = 86_400_000;

const keptFor = (usual: number, description: string) =>
  days.default(usual).meta({ description, absent: `\`${usual}d\`` });

/** The keys of `retention`. */
export const retentionKeys = z.strictObject({
  runs: keptFor(90, 'runs, plans and retries; the newest 20 of each sync stay, and what is under way or waits'),
  rejects: keptFor(14, 'rejected records; at most those of the last 50 readings of a sync, at least those of the last'),
  beforeImages: keptFor(30, 'what records were before a run changed them; `0d`: nothing of it is kept'),
  files: keptFor(180, 'which files were uploaded, after no source has had them any more'),
});

/** How long what is kept. */
export const retention = retentionKeys.prefault({}).transform(({ runs, rejects, beforeImages, files }) => ({
  runsMs: runs * DAY_MS,
  rejectsMs: rejects * DAY_MS,
  beforeImagesMs: beforeImages * DAY_MS,
  filesMs: files * DAY_MS,
}));
