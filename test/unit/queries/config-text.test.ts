import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfigText } from '../../../src/queries/syncs/sync.ts';
import { temporaryDir } from '../../support/engines.ts';

async function shown(text: string, name = 'talks.yaml'): Promise<string | undefined> {
  using dir = temporaryDir();
  const file = join(dir.path, name);
  writeFileSync(file, text);
  return await readConfigText(file);
}

test('Secrets that are written in a sync file are masked, the rest is as it is', async () => {
  const text = `# Talks
source:
  url: https://ann:letmein@feeds.example.edu/private-a1b2/talks?key=letmein&size=\${SIZE}#a
  headers:
    Authorization: Bearer letmein
    X-Trace: 'letmein'
    X-Key: \${FEED_KEY}
  form: { password: letmein, user: ann } # of the feed
map: { title: title, password: { value: letmein } }
`;
  expect(await shown(text)).toBe(`# Talks
source:
  url: https://***@feeds.example.edu/private-***/talks?key=***&size=\${SIZE}#a
  headers:
    Authorization: "***"
    X-Trace: "***"
    X-Key: \${FEED_KEY}
  form: { password: "***", user: ann } # of the feed
map: { title: title, password: { value: "***" } }
`);
});

test('A file with long secrets keeps its layout', async () => {
  expect(await shown('source:\n  token: |\n    letmein\n    again\n  size: 1\n')).toBe(
    'source:\n  token: "***"\n  size: 1\n',
  );
});

test('Nothing is shown of programs, of what is no YAML, and of missing files', async () => {
  expect(await shown('export default {}', 'talks.ts')).toBeUndefined();
  expect(await shown('password: "letmein')).toBeUndefined();
  expect(await readConfigText('/nowhere/talks.yaml')).toBeUndefined();
});

test('What is sent to the server of a feed is masked, and attributes with such names are not', async () => {
  const text = (token: string, size: string, form: string) => `sources:
  house:
    auth: { bearer: ${token} }
    query: { size: ${size} }
    body: ${form}
map: { body: Text, query: Search }
`;
  expect(await shown(text('letmein', 'large', 'a=letmein'))).toBe(text('"***"', '"***"', '"***"'));
});
