import { ical } from '../../../../connectors/ical/ical.ts';
import { calendar } from '../ical-lines.ts';
import { type ReadOptions, readFeed } from '../read-feed.ts';

/** Reads a calendar of content lines. */
export async function readLines(lines: string[], options: ReadOptions = {}) {
  const { records, rejections, warnings, incomplete } = await readFeed(ical, calendar(...lines), options);
  const fields = records.map((record) => record.fields);
  return { fields, rejections, incomplete, warnings: warnings.map(({ message }) => message) };
}
