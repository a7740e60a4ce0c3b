import { expect, test } from 'vitest';
import { applyLines } from '../../../src/inference/correct/apply-lines.ts';
import { NO_CORRECTIONS } from '../../../src/inference/correct/corrections.ts';
import type { Proposal } from '../../../src/inference/proposal.ts';
import { withEditors } from '../../../src/inference/propose/editors.ts';

const guess = <Value>(value: Value) => ({ value, evidence: '' });
const proposed: Proposal = {
  ...{ resource: guess('events'), source: {}, key: guess('id'), suggested: {}, open: [], warnings: [] },
  map: { title: guess('name'), start: guess('day') },
  attachments: { poster: guess('picture') },
};
const attributes = ({ authority }: Proposal) => Object.keys(authority?.value ?? {});

test('Editors own the texts and files that the feed gives, also those of the map of a format', () => {
  expect(attributes(withEditors(proposed, 'csv', NO_CORRECTIONS))).toEqual(['title', 'poster']);
  expect(attributes(withEditors(proposed, 'ical', NO_CORRECTIONS))).toEqual(['title', 'description', 'poster']);
  expect(attributes(withEditors({ ...proposed, resource: guess('accounts') }, 'csv', NO_CORRECTIONS))).toEqual([]);
});

test.each([
  [null, []],
  [{ title: 'initial' }, ['title']],
])('What a person says about it counts: %j', (said, owned) => {
  const corrections = { answers: {}, lines: { authority: said } };
  expect(attributes(withEditors(applyLines(proposed, corrections), 'csv', corrections))).toEqual(owned);
});
