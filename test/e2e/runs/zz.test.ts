import { test } from 'vitest';
import { addDays } from '../../../src/core/dates/iso-date.ts';
import { writePeople, writePeopleSync, writeTalks, writeTalksSync } from '../fixtures.ts';
import { startRecordingProxy } from '../recording-proxy.ts';
import { openSite, simplest } from '../site.ts';

const log = (name: string, proxy: { requests: Array<{ operation: string; url: string }> }) => {
  const urls = proxy.requests.map(({ operation, url }) => `${operation.split(' ')[0]} ${url.replace(/\/api\/v1\/(calendar|account)\//, '').replace(/\/\d+$/, '/N')}`);
  const counts = Object.entries(Object.groupBy(urls, (url) => url)).map(([url, all]) => `${all?.length} × ${url}`);
  console.log(`== ${name}: ${proxy.requests.length}\n${counts.join('\n')}`);
  proxy.requests.length = 0;
};
const person = (n: number, firm = 'Museum') => ({ email: `p${n}@example.org`, login: `p${n}`, firm });
const people = (n: number, firm = 'Museum') => Array.from({ length: n }, (_, i) => person(i, firm));

for (const others of [0, 50, 450])
  test(`accounts ${others}`, async () => {
    await using site = await openSite(simplest);
    await using proxy = await startRecordingProxy(site.sandbox.url);
    site.variables.CMS_BASE_URL = proxy.url;
    writePeopleSync(site, 'changes: { threshold: false }', { map: 'email: email, username: login, company: firm' });
    if (others) site.sandbox.create('accounts', Array.from({ length: others }, (_, i) => ({ email: `x${i}@example.org`, username: `x${i}` })));
    writePeople(site, ...people(20));
    console.log(JSON.stringify((await site.sync()).map(({ status, counts }) => [status, counts])));
    log(`accounts first run, ${others} others`, proxy);
    writePeople(site, ...people(40));
    await site.sync();
    log('20 more', proxy);
    if (others) site.sandbox.create('accounts', Array.from({ length: 120 }, (_, i) => ({ email: `y${i}@example.org`, username: `y${i}` })));
    writePeople(site, ...people(60));
    await site.sync();
    log('20 more, after 120 of editors', proxy);
    writePeople(site, ...people(50, 'Archive'), ...people(80).slice(60));
    await site.sync();
    log('20 more, 50 updates', proxy);
  });

for (const others of [0, 450])
  test(`events ${others}`, async () => {
    await using site = await openSite(simplest);
    await using proxy = await startRecordingProxy(site.sandbox.url);
    site.variables.CMS_BASE_URL = proxy.url;
    writeTalksSync(site, 'changes: { threshold: false }');
    const talks = (from: number, to: number, text = 'Talk') => Array.from({ length: to - from }, (_, i) => `T${from + i},${text} ${from + i},${addDays('2027-03-01', from + i)},10:00`);
    if (others) site.sandbox.create('events', Array.from({ length: others }, (_, i) => ({ title: `M ${i}`, date: '2027-01-01', endDate: '2027-01-01', time: { start: '09:00:00', type: 'timed' } })));
    writeTalks(site, talks(0, 20));
    await site.sync();
    log(`events first run, ${others} others`, proxy);
    writeTalks(site, talks(0, 40));
    await site.sync();
    log('20 more', proxy);
    site.sandbox.create('events', Array.from({ length: 120 }, (_, i) => ({ title: `M ${i}`, date: '2027-01-01', endDate: '2027-01-01', time: { start: '09:00:00', type: 'timed' } })));
    writeTalks(site, talks(0, 60));
    await site.sync();
    log('20 more after 120 of editors', proxy);
    writeTalks(site, [...talks(0, 50, 'Old'), ...talks(60, 80)]);
    await site.sync();
    log('20 more, 50 updates', proxy);
    writeTalks(site, [...talks(0, 50, 'Old'), ...talks(60, 80)].toReversed());
    await site.sync();
    log('unchanged', proxy);
  });
