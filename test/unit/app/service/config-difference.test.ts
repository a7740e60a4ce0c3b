import { expect, test } from 'vitest';
import { differenceOf } from '../../../../src/app/service/service.ts';
import type { Config } from '../../../../src/config/types.ts';

test('Changes that affect all syncs are listed separately', () => {
  const config = (runsMs: number, ...names: string[]) =>
    ({ target: {}, retention: { runsMs }, syncs: names.map((name) => ({ name })) }) as unknown as Config;
  expect(differenceOf(config(1, 'a', 'b'), config(2, 'b', 'c'))).toEqual({
    added: ['c'],
    changed: ['retention'],
    removed: ['a'],
  });
});
