import { compileDateFormat } from '../../src/core/dates/date-format.ts';
import type { SourceRecord } from '../../src/core/record.ts';

/** `Annual Meeting 2/15/2027 8:30 AM - 2/15/2027 9:15 AM`, as GrowthZone (ChamberMaster) writes titles. */
const datedTitle =
  /^(.*\S)\s+(\d{1,2}\/\d{1,2}\/\d{4})(?:\s+(\d{1,2}:\d\d [AP]M))?\s+-\s+(\d{1,2}\/\d{1,2}\/\d{4})(?:\s+(\d{1,2}:\d\d [AP]M))?$/s;
const orders = ['M/d/yyyy', 'd/M/yyyy'].map((format) => compileDateFormat(format));
const readTime = compileDateFormat('h:mm a');

/** Takes the times out of titles that end with them, if the feed shows the order of day and month. */
export function titleDates(records: readonly SourceRecord[]): void {
  const dated = records.flatMap((record) => {
    const found = record.fields.start === undefined && datedTitle.exec(String(record.fields.title ?? ''));
    return found ? [{ record, found }] : [];
  });
  const days = dated.flatMap(({ found }) => [found[2] ?? '', found[4] ?? '']);
  const [read, ...others] = orders.filter((order) => days.every((day) => order(day) !== undefined));
  if (read === undefined || others.length > 0) return;
  for (const { record, found } of dated) {
    const [, title, ...written] = found;
    const [start, end] = [written.slice(0, 2), written.slice(2)].map(([day = '', clock]) => {
      const time = clock && readTime(clock)?.time;
      return `${read(day)?.date}${time ? `T${time}` : ''}`;
    });
    Object.assign(record.fields, { title, start, end });
  }
}
