import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSite, type Site, simplest } from '../site.ts';
import { CONCERT, TALK, writeCalendar } from './two-calendars.ts';

const MAP = 'key: id\nmap: { title: title, date: date, time.start: start, location: hall, description: text }\n';

/** Two syncs have published the same concert; then they become the sources of one. */
export async function openDoubled(): Promise<Site> {
  const site = await openSite(simplest);
  for (const name of ['central', 'music'])
    site.write(
      `syncs/${name}-events.yaml`,
      `resource: events\nalike: allow\nsource: { connector: csv, url: ./feeds/${name}.csv }\n${MAP}`,
    );
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', ...TALK, ''],
  ]);
  await site.sync();
  for (const name of ['central', 'music']) rmSync(join(site.dir, `config/syncs/${name}-events.yaml`));
  const sources = ['central', 'music'].map(
    (name) => `  ${name}: { connector: csv, url: ./feeds/${name}.csv, renamedFrom: ${name}-events }`,
  );
  site.write('syncs/campus.yaml', `resource: events\nsources:\n${sources.join('\n')}\n${MAP}`);
  return site;
}
