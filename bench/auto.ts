import { profiles } from './auto/profiles.ts';
import type { Profile } from './auto/profiles.ts';
import { simulate } from './auto/simulate.ts';

const FIXED = [1, 2, 4, 8];
const exp = (r: () => number) => -Math.log(1 - r());
const normal = (r: () => number) => Math.sqrt(2 * exp(r)) * Math.cos(2 * Math.PI * r());
const more: Profile[] = process.argv[3] ? [
  { name: 'x exponential 50', cms: () => ({ random }) => ({ status: 200, tookMs: 50 * exp(random) }), },
  { name: 'x lognormal 50', cms: () => ({ random }) => ({ status: 200, tookMs: 50 * Math.exp(0.5 * normal(random)) }), },
  { name: 'x bimodal 20/200', cms: () => ({ random }) => ({ status: 200, tookMs: random() < 0.1 ? 200 : 20 }), },
  { name: 'x random 429 2 % RA 1', cms: () => ({ random }) => random() < 0.02 ? { status: 429, tookMs: 5, retryAfterMs: 1000 } : { status: 200, tookMs: 20 } },
  { name: 'x random 429 10 % RA 1', cms: () => ({ random }) => random() < 0.1 ? { status: 429, tookMs: 5, retryAfterMs: 1000 } : { status: 200, tookMs: 20 } },
  { name: 'x 429 each 30 s RA 2', cms: () => { let last = 0; return ({ at }) => { if (at - last > 30000) { last = at; return { status: 429, tookMs: 5, retryAfterMs: 2000 }; } return { status: 200, tookMs: 20 }; }; } },
  { name: 'x 429 above 4 in flight', cms: () => ({ inFlight, random }) => inFlight > 4 ? { status: 429, tookMs: 2 } : { status: 200, tookMs: 50 * (0.95 + random() * 0.1) }, idleMs: () => 50 },
  { name: 'x 429 above 4 in flight RA', cms: () => ({ inFlight, random }) => inFlight > 4 ? { status: 429, tookMs: 2, retryAfterMs: 1000 } : { status: 200, tookMs: 50 * (0.95 + random() * 0.1) }, idleMs: () => 50 },
  { name: 'x bucket 20, 5/s', cms: () => { let tokens = 20; let last = 0; return ({ at }) => { tokens = Math.min(20, tokens + (at - last) / 200); last = at; if (tokens < 1) return { status: 429, tookMs: 2 }; tokens -= 1; return { status: 200, tookMs: 20 }; }; }, idleMs: () => 20 },
  { name: 'x fixed window 5/s', cms: () => { let n = 0; let w = 0; return ({ at }) => { const now = Math.floor(at / 1000); if (now !== w) { w = now; n = 0; } n += 1; return n > 5 ? { status: 429, tookMs: 2, retryAfterMs: 1000 } : { status: 200, tookMs: 20 }; }; }, idleMs: () => 20 },
  { name: 'x gentle slope .12 beyond 4', cms: () => ({ inFlight }) => ({ status: 200, tookMs: 50 * (1 + 0.12 * Math.max(0, inFlight - 4)) }), idleMs: () => 50 },
  { name: 'x quadratic knee 4', cms: () => ({ inFlight }) => ({ status: 200, tookMs: 50 * (1 + (Math.max(0, inFlight - 4) / 4) ** 2) }), idleMs: () => 50 },
  { name: 'x 5/s two processes', cms: profiles[3]!.cms, processes: 2 },
  { name: 'x 5/s 200 ms', cms: () => { let a: number[] = []; return ({ at }) => { a = a.filter((t) => t > at - 1000); if (a.length >= 5) return { status: 429, tookMs: 2 }; a.push(at); return { status: 200, tookMs: 200 }; }; }, idleMs: () => 200 },
  { name: 'x random pool of 2', cms: () => { const free = [0, 0]; return ({ at, random }) => { const i = free[0]! < free[1]! ? 0 : 1; free[i] = Math.max(at, free[i]!) + 50 * Math.exp(0.3 * normal(random)); return { status: 200, tookMs: free[i]! - at }; }; }, idleMs: () => 50 },
  { name: 'x pool of 4', cms: () => { const free = [0, 0, 0, 0]; return ({ at, random }) => { const i = free.indexOf(Math.min(...free)); free[i] = Math.max(at, free[i]!) + 50 * (0.95 + random() * 0.1); return { status: 200, tookMs: free[i]! - at }; }; }, idleMs: () => 50 },
  { name: 'x pool of 2, 20 ms', cms: () => { const free = [0, 0]; return ({ at, random }) => { const i = free.indexOf(Math.min(...free)); free[i] = Math.max(at, free[i]!) + 20 * (0.95 + random() * 0.1); return { status: 200, tookMs: free[i]! - at }; }; }, idleMs: () => 20 },
  { name: 'x 30 % 5xx', cms: () => ({ random }) => random() < 0.3 ? { status: 503, tookMs: 20 } : { status: 200, tookMs: 20 } },
] : [];
const setting = { most: 8, from: 60_000, until: 240_000 };
const only = process.argv[2];
for (const profile of [...more, ...profiles].filter(({ name }) => !only || name.includes(only))) {
  const t = performance.now();
  const found = simulate(profile, setting);
  const fixed = FIXED.map((count) => simulate(profile, { ...setting, fixed: count }));
  const best = Math.max(...fixed.map(({ perSecond }) => perSecond));
  const part = found.perSecond / best;
  const flags = [part < 0.85 && 'SLOW', found.refused >= 0.01 && '429', found.p95 > 1.5 && 'P95'].filter(Boolean).join(' ');
  console.log(profile.name.padEnd(34), found.perSecond.toFixed(1).padStart(8), `${(part * 100).toFixed(0)} %`.padStart(6), `429 ${(found.refused * 100).toFixed(2)} %`, `p95 ${found.p95.toFixed(2)}`,
   `L ${found.pace.limit} r ${found.pace.perSecond?.toFixed(1) ?? '-'} changes ${found.changes.length}/${found.changes.filter(({at})=>at>60000).length}`, 'fixed', fixed.map((f) => `${f.perSecond.toFixed(1)}/${f.p95.toFixed(1)}/${(f.refused*100).toFixed(0)}`).join(' '), flags, Math.round(performance.now()-t));
  if (process.argv[4]) for (const { at, pace } of found.changes.slice(0, 60)) console.log(Math.round(at), JSON.stringify(pace));
}
