import { join } from 'node:path';
import type { Combination } from './combination.ts';
import { openPlace, type Place } from './place.ts';
import type { Servers } from './servers/servers.ts';
import { createSource, MARK, type Source } from './source.ts';

/** A website with its feeds, its CMS, and a ledger and queue that can be taken down. */
export interface Site extends Place {
  source: Source;
}

const EVENTS = `resource: events
source: { connector: csv, url: ../feeds/events.csv }
key: id
map: { title: title, description: text, date: date, time.start: start }
attachments: { image: image }
missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }
changes: { threshold: { percent: 100 } }
`;

const ACCOUNTS = `resource: accounts
source: { connector: csv, url: ../feeds/accounts.csv }
key: id
map: { email: email, username: username, firstName: first, lastName: last }
missing: { policy: set, set: { department: ${MARK} }, threshold: { percent: 100 } }
changes: { threshold: { percent: 100 } }
`;

export async function openSite(combination: Combination, servers: Servers): Promise<Site> {
  const place = await openPlace(combination, servers, { 'events.yaml': EVENTS, 'accounts.yaml': ACCOUNTS });
  return { ...place, source: createSource(join(place.dir, 'config/feeds')) };
}
