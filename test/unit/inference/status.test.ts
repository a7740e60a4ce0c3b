import { describe, expect, test } from 'vitest';
import { proposalFor, table } from './setup.ts';

/** Five events, each with its value in a further field. */
const events = (name: string, values: readonly unknown[]) =>
  values.map((value, index) => ({ id: 100 + index, title: `Talk ${index}`, date: `2027-03-1${index}`, [name]: value }));

describe('The state of records', () => {
  test.each([
    ['Status', ['ok', 'abgesagt', 'ok', 'ok', 'ok'], 'abgesagt'],
    ['STATUS', ['aktywny', 'odwołany', 'aktywny', 'aktywny', 'aktywny'], 'odwołany'],
    ['st', ['ACTIVE', 'ACTIVE', 'CANCELLED', 'ACTIVE', 'ACTIVE'], 'CANCELLED'],
    ['note', ['', '中止', '', '', '残席あり'], '中止'],
    ['abgesagt', ['nein', 'ja', 'nein', 'nein', 'nein'], 'ja'],
    ['aflyst', ['nej', 'nej', 'ja', 'nej', 'nej'], 'ja'],
    ['aktywny', ['tak', 'tak', 'nie', 'tak', 'tak'], 'nie'],
    ['Aktif', ['evet', 'hayır', 'evet', 'evet', 'evet'], 'hayır'],
  ])('%s leaves out what is cancelled', (name, values, is) => {
    expect(proposalFor(events(name, values)).source.deleted?.value).toEqual({ field: name, is });
  });

  test.each([
    ['oeffentlich', ['ja', 'nein', 'ja', 'ja', 'ja'], 'nein'],
    ['published', ['yes', 'yes', 'no', 'yes', 'yes'], 'no'],
    ['status', [true, true, false, true, true], 'false'],
    ['Állapot', ['aktív', 'aktív', 'aktív', 'zártkörű', 'aktív'], 'zártkörű'],
    ['סטטוס', ['פעיל', 'פנימי', 'פעיל', 'פעיל', 'פעיל'], 'פנימי'],
    ['nur intern', ['nein', 'ja', 'nein', 'nein', 'nein'], 'ja'],
    ['Status', ['veröffentlicht', 'Entwurf', 'veröffentlicht', 'veröffentlicht', 'veröffentlicht'], 'Entwurf'],
  ])('%s leaves out what is not for the public', (name, values, not) => {
    expect(proposalFor(events(name, values)).when?.value).toEqual({ field: name, not });
  });

  test.each([
    ['Status', ['ok', 'wobbly', 'ok', 'ok', 'ok'], 'wobbly'],
    ['Freigabe', ['extern', 'intern', 'extern', 'extern', 'extern'], 'intern'],
    ['published', ['no', 'no', 'no', 'yes', 'no'], 'no'],
    ['Status', ['wobbly', 'wobbly', 'shaky', 'ok', 'wobbly'], 'shaky'],
    ['tags', [['music'], ['intern', 'music'], ['talk'], ['talk'], ['music']], 'intern'],
    ['tags', [['music'], ['music'], ['abgesagt'], ['talk'], ['music']], 'abgesagt'],
  ])('%s with other values is warned about', (name, values, word) => {
    const proposal = proposalFor(events(name, values));
    expect(proposal.when).toBeUndefined();
    expect(proposal.warnings.join()).toContain(`when: { field: ${name}, not: ${word} }`);
    expect(proposalFor(events(name, values), {}, { when: null }).warnings.join()).not.toContain('states of records');
  });

  test('shows in a warning only the values that are published', () => {
    const { warnings } = proposalFor(events('Status', ['ok', 'abgesagt', 'Entwurf', 'wobbly', 'ok']));
    expect(warnings.join()).toContain('states of records: ok (2), wobbly (1). These are published');
  });

  test.each([
    ['status', ['confirmed', 'scheduled', 'confirmed', 'confirmed', 'confirmed']],
    ['state', ['Ohio', 'Utah', 'Ohio', 'Iowa', 'Ohio']],
    ['hall', ['left', 'right', 'left', 'left', 'left']],
    ['international', ['yes', 'no', 'no', 'no', 'no']],
  ])('%s with %j is none', (name, values) => {
    const proposal = proposalFor(events(name, values));
    expect([proposal.source.deleted, proposal.when]).toEqual([undefined, undefined]);
    expect(proposal.warnings.join()).not.toContain('states of records');
  });
});

test('Two fields that hide records: one is used, and the other one is warned of', () => {
  const rows = table(
    ['id', 'title', 'date', 'published', 'internal'],
    ['a1', 'Maps', '2027-03-01', 'yes', 'no'],
    ['a2', 'Ships', '2027-03-02', 'no', 'no'],
    ['a3', 'Tides', '2027-03-03', 'yes', 'yes'],
    ['a4', 'Winds', '2027-03-04', 'yes', 'no'],
  );
  const { when, warnings } = proposalFor(rows);
  const [used, other] = [when?.value.field, when?.value.field === 'published' ? 'internal' : 'published'];
  expect(['published', 'internal']).toContain(used);
  expect(warnings.join(' ')).toContain(`${other} also seems to hide records: 1 record is`);
});
