import { expect, test } from 'vitest';
import { targetFile } from '../../../src/config/schema/target-schema.ts';
import type { TargetConfig } from '../../../src/config/types.ts';
import { itemLink } from '../../../src/queries/answers/item-link.ts';

const target = { baseUrl: 'https://www.example.edu', token: 't', timezone: 'UTC' };

test('An item is linked by the address of its resource, if the config has one', () => {
  const itemLinks = { events: 'https://www.example.edu/edit/{id}?back=/{id}' };
  const config = targetFile.parse({ target: { ...target, itemLinks } }).target as TargetConfig;
  expect(itemLink(config, 'events', 12)).toEqual({ link: 'https://www.example.edu/edit/12?back=/12' });
  expect(itemLink(config, 'accounts', 12)).toEqual({});
});

test.each(['javascript:alert({id})', '/edit/{id}', 'https://www.example.edu/edit'])('%s is no item link', (events) => {
  const result = targetFile.safeParse({ target: { ...target, itemLinks: { events } } });
  expect(result.error?.issues[0]?.path).toEqual(['target', 'itemLinks', 'events']);
});
