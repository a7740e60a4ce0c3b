import { expect, test } from 'vitest';
import { interpolate } from '../../../../src/config/files/interpolate.ts';

test.each([
  ['CMS_TOKEN', { CMS_API_TOKEN: 'hush' }, 'CMS_TOKEN is not set; did you mean CMS_API_TOKEN?'],
  ['CMS_API_TOKEN_OLD', { CMS_API_TOKEN: 'hush' }, 'is not set; did you mean CMS_API_TOKEN?'],
  ['ALERT_ULR', { ALERT_URL: 'hush' }, 'is not set; did you mean ALERT_URL?'],
  ['TOKEN', { CMS_API_TOKEN: 'hush' }, /TOKEN is not set$/],
  ['CMS_TOKEN', { API_TOKEN: 'hush' }, /CMS_TOKEN is not set$/],
  ['CMS_TOKEN', { CMS_TOKENS: undefined }, /CMS_TOKEN is not set$/],
])('Instead of %s, a similar variable that is set is named, without its value', (name, variables, message) => {
  const fill = () => interpolate(`\${${name}}`, variables);
  expect(fill).toThrow(message);
  expect(fill).not.toThrow('hush');
});
