import { describe, expect, test } from 'vitest';
import { switchesSchema } from '../../src/sandbox/options.ts';
import { isLong, rounds } from '../support/long.ts';
import { foundBy, openPlantedSite } from './planted-site.ts';
import { together, variants } from './variants.ts';

// The long form, with 1,000 drifts on 20,000 items: npm run dev -- test:verify

const ITEMS = rounds(26, 260);
/** Each kind at least once. */
const DRIFTS = rounds(13, 26);
/** With it, the PATCH of an editor empties what it does not name: a drift of every attribute, whatever was planted. */
const UNTRIED = ['patchUnsent'];

describe('Planted drifts', () => {
  test('Every switch of the sandbox is tried', () => {
    const tried = variants.flatMap((switches) => Object.keys(switches));
    expect(new Set([...tried, ...UNTRIED])).toEqual(new Set(Object.keys(switchesSchema.shape)));
  });

  test.each(isLong ? variants : together(variants))('All are found, and nothing else, with %j', async (switches) => {
    await using site = await openPlantedSite(ITEMS, DRIFTS, { switches });
    expect(site.planted).toHaveLength(DRIFTS);
    const result = await site.verify();
    expect(foundBy(result)).toEqual(site.planted);
    expect(result.certificate).toMatchObject({ proven: true, counts: { moving: 0, unverified: 0 } });
    expect(result.inSync + result.drift.filter(({ cause }) => cause !== 'doubled' && cause !== 'orphan').length).toBe(
      result.certificate.counts.records,
    );
  });

  test('A CMS that fails in between causes no false alarm', async () => {
    await using site = await openPlantedSite(ITEMS, DRIFTS);
    const scope = { method: 'GET', rate: 0.3 };
    const faults = [
      { kind: 'emptyList', ...scope },
      { kind: 'truncate', ...scope },
      { kind: 'reset', ...scope },
      { kind: 'error', status: 502, ...scope },
      { kind: 'error', status: 404, ...scope },
      { kind: 'itemMissing', method: 'GET' },
    ];
    for (const fault of faults) {
      for (let seed = 1; seed <= 3; seed += 1) {
        await site.fail({ seed, faults: [fault] });
        const found = foundBy(await site.verify());
        expect(
          found.filter((text) => !site.planted.includes(text)),
          JSON.stringify({ fault, seed }),
        ).toEqual([]);
      }
    }
    await site.fail({ faults: [] });
    expect(foundBy(await site.verify())).toEqual(site.planted);
  });
});
