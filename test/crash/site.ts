import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Combination } from './combination.ts';
import { openPlace, type Place } from './place.ts';
import type { RoundPlan } from './plan.ts';
import type { Servers } from './servers/servers.ts';
import { createSource, MARK, type Source } from './source.ts';

/** A website with its feeds, its CMS, and a ledger and queue that can be taken down. */
export interface Site extends Place {
  source: Source;
  /** Writes the syncs again; `adopt`: they adopt what the CMS has already. */
  configure(options: { adopt: boolean }): void;
}

type SitePlan = Pick<RoundPlan, 'externalId' | 'recreates' | 'missingAfter'>;

function configOf({ recreates, missingAfter }: SitePlan, { adopt }: { adopt: boolean }) {
  const onDeletedInCms = recreates ? 'recreate' : 'leave';
  const after = `${missingAfter} run${missingAfter === 1 ? '' : 's'}`;
  const events = `resource: events
source: { connector: csv, url: ../feeds/events.csv }
key: id
map: { title: title, description: text, date: date, time.start: start }
attachments: { image: image }
missing: { policy: delete, after: ${after}, threshold: { percent: 100 } }
changes: { threshold: { percent: 100 } }
onDeletedInCms: ${onDeletedInCms}
${adopt ? 'adopt: { match: [title, date] }' : ''}
`;
  const accounts = `resource: accounts
source: { connector: csv, url: ../feeds/accounts.csv }
key: id
map: { email: email, username: username, firstName: first, lastName: last }
missing: { policy: set, set: { department: ${MARK} }, after: ${after}, threshold: { percent: 100 } }
changes: { threshold: { percent: 100 } }
onDeletedInCms: ${onDeletedInCms}
${adopt ? 'adopt: { match: [email] }' : ''}
`;
  return { 'events.yaml': events, 'accounts.yaml': accounts };
}

export async function openSite(combination: Combination, servers: Servers, plan: SitePlan): Promise<Site> {
  const place = await openPlace(combination, servers, configOf(plan, { adopt: false }), plan);
  return {
    ...place,
    source: createSource(join(place.dir, 'config/feeds')),
    configure(options) {
      for (const [file, content] of Object.entries(configOf(plan, options))) {
        writeFileSync(join(place.dir, 'config/syncs', file), content);
      }
    },
  };
}
