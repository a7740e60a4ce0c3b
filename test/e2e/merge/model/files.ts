import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../../site.ts';
import { type Entry, type Source, tagOf, type World } from './world.ts';

/** Writes the sync file. Returns whether it has changed. */
export function writeSyncFile(site: Site, world: World): boolean {
  const { sources, fill, policy, after } = world;
  const lines = sources.map(({ name, kind }) =>
    kind === 'csv'
      ? `  ${name}: { connector: csv, url: ./feeds/${name}.csv, key: id, map: { title: title, start: when, location: hall, description: text, tag: tag } }`
      : `  ${name}: { connector: ical, url: ./feeds/${name}.ics, map: { title: summary, start: start, location: location, description: description, tag: x-tag } }`,
  );
  const filled = fill.filter((name) => sources.some((source) => source.name === name));
  const missing =
    policy === 'keep'
      ? ''
      : `missing: { policy: delete, after: ${after} ${after === 1 ? 'run' : 'runs'}, threshold: { percent: 100 } }\n`;
  const text = `resource: events
sources:
${lines.join('\n')}
${filled.length > 0 ? `merge: { fill: { description: [${filled.join(', ')}] } }\n` : ''}${missing}changes: { threshold: false, core: false, emptied: false, garbled: false, churn: false }
`;
  if (text === world.syncFile) return false;
  world.syncFile = text;
  site.write('syncs/campus.yaml', text);
  return true;
}

/** Writes the file of a source, with what is wrong with it. */
export function writeFeed(site: Site, source: Source): void {
  const path = `syncs/feeds/${source.name}.${source.kind === 'csv' ? 'csv' : 'ics'}`;
  if (source.trouble === 'missing') rmSync(join(site.dir, 'config', path), { force: true });
  else site.write(path, source.kind === 'csv' ? csv(source) : ical(source));
}

function csv({ name, entries, trouble, bad }: Source): string {
  const rows = (trouble === 'empty' ? [] : entries).map((entry) => {
    const date = bad === entry.key ? '2031-02-30' : entry.date;
    return [entry.key, entry.title, `${date} ${entry.start}`.trim(), entry.place, entry.text, tagOf(name, entry)].join(
      ',',
    );
  });
  const end = trouble === 'truncated' ? '99,"Requi' : '';
  return `${['id,title,when,hall,text,tag', ...rows].join('\n')}\n${end}`;
}

function ical({ name, entries, trouble, bad }: Source): string {
  const events = (trouble === 'empty' ? [] : entries).flatMap((entry) => [
    ...['BEGIN:VEVENT', `UID:${entry.key}`, `SUMMARY:${entry.title}`, startOf(entry, bad)],
    `LOCATION:${entry.place}`,
    `DESCRIPTION:${entry.text}`,
    ...[`X-TAG:${tagOf(name, entry)}`, `STATUS:${entry.cancelled ? 'CANCELLED' : 'CONFIRMED'}`, 'END:VEVENT'],
  ]);
  const end = trouble === 'truncated' ? ['BEGIN:VEVENT', 'UID:99', 'SUMM'] : ['END:VCALENDAR', ''];
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, ...end].join('\r\n');
}

function startOf({ key, date, start }: Entry, bad: string | undefined): string {
  const day = bad === key ? '20310230' : date.replaceAll('-', '');
  return start === '' ? `DTSTART;VALUE=DATE:${day}` : `DTSTART:${day}T${start.replace(':', '')}00`;
}
