import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const clock = z.string().nullish();
const event = z.object({
  title: z.string(),
  /** null: the record cannot be placed. */
  date: z.iso.date().nullable(),
  endDate: z.iso.date().nullish(),
  start: clock,
  end: clock,
  allDay: z.boolean(),
  location: z.string().nullish(),
  /** Another place, or another last day, that would be right, too. */
  locationAlso: z.string().nullish(),
  endDateAlso: z.string().nullish(),
});
const common = {
  /** IANA zone of the site. */
  zone: z.string().default('UTC'),
  /** Indices of the records to publish; absent: all. */
  publish: z.array(z.number()).optional(),
  note: z.string().optional(),
};
const labelSchema = z.discriminatedUnion('resource', [
  z.object({ ...common, resource: z.literal('events'), records: z.array(event) }),
  z.object({
    ...common,
    resource: z.literal('accounts'),
    records: z.array(z.record(z.string(), z.string().nullish())),
  }),
]);

export type EventLabel = z.output<typeof event>;

/** A feed that was written without knowledge of feedferry, with what an editor would publish of it. */
export interface UnseenFeed {
  name: string;
  file: string;
  label: z.output<typeof labelSchema>;
  /** What a person corrected who saw only the table of `init`: lines for `--set`, at most three. */
  corrections: string[];
}

/** Reads the feeds of a folder: `feeds/NN.csv`, `labels/NN.json`, `corrections/NN.txt`. */
export function readUnseen(dir: string): UnseenFeed[] {
  return readdirSync(join(dir, 'feeds'))
    .sort()
    .map((file) => {
      const name = file.replace(/\.\w+$/, '');
      const label = labelSchema.parse(JSON.parse(readFileSync(join(dir, 'labels', `${name}.json`), 'utf8')));
      const path = join(dir, 'corrections', `${name}.txt`);
      const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
      return { name, file: join(dir, 'feeds', file), label, corrections: lines.filter((line) => line.trim() !== '') };
    });
}
