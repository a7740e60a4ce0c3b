import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Manifest, releaseNotes, releaseProblems } from '../../../scripts/packages/release.ts';

const changelog = '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2027-01-31)\n\n- A feature.\n\n## 1.1.0\n\n- Older.\n';
const complete: Manifest = {
  version: '1.2.0',
  homepage: 'https://git.example.org/owner/feedferry#readme',
  bugs: 'https://git.example.org/owner/feedferry/issues',
  repository: { url: 'git+https://git.example.org/owner/feedferry.git' },
};

describe('A release', () => {
  test('is possible if package.json and the changelog are complete', () => {
    expect(releaseProblems('v1.2.0', complete, changelog, 'owner/feedferry')).toEqual([]);
  });

  test('is possible for this package', () => {
    const [manifest, changes] = ['package.json', 'CHANGELOG.md'].map((file) => readFileSync(file, 'utf8'));
    const own: Manifest = JSON.parse(manifest ?? '');
    expect(releaseProblems(`v${own.version}`, own, changes ?? '')).toEqual([]);
  });

  test.each<[string, Partial<Manifest>, RegExp]>([
    ['no homepage', { homepage: undefined }, /"homepage" .* should be .*feedferry#readme/],
    ['issues elsewhere', { bugs: 'https://git.example.org/other/issues' }, /"bugs" .* should be .*feedferry\/issues/],
    ['no repository', { repository: undefined }, /no "repository".*provenance/],
    ['another version', { version: '1.3.0' }, /tag is v1\.2\.0.*1\.3\.0/],
    ['another repository', { repository: { url: 'git+https://git.example.org/other/name.git' } }, /npm would refuse/],
  ])('is impossible with %s', (_, part, problem) => {
    expect(releaseProblems('v1.2.0', { ...complete, ...part }, changelog, 'owner/feedferry').join('\n')).toMatch(
      problem,
    );
  });

  test('is impossible without a section in the changelog', () => {
    const manifest = { ...complete, version: '1.3.0' };
    expect(releaseProblems('v1.3.0', manifest, changelog)).toEqual([expect.stringContaining('no section `## 1.3.0`')]);
  });

  test('has the section of its version as notes', () => {
    expect(releaseNotes('v1.2.0', changelog)).toBe('- A feature.');
    expect(releaseNotes('v1.1.0', changelog)).toBe('- Older.');
    expect(releaseNotes('v1.2', changelog)).toBeUndefined();
  });
});
