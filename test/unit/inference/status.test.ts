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

describe('Whether a flag leaves records out is asked', () => {
  const condition = (name: string, values: readonly unknown[], answers = {}) => {
    const { when, source, open, warnings } = proposalFor(events(name, values), answers);
    expect(warnings.join()).not.toContain('states of records');
    return { when: when?.value, deleted: source.deleted?.value, asked: open.map(({ id }) => id) };
  };

  test.each([
    ['Do not publish', ['FALSE', 'FALSE', 'TRUE', 'FALSE', 'FALSE'], { not: 'TRUE' }],
    ["Don't show on website", ['', 'yes', '', '', 'yes'], { not: 'yes' }],
    ['doNotPublish', [false, true, false, false, false], { not: 'true' }],
    ['Hide from website', ['no', 'yes', 'no', 'no', 'no'], { not: 'yes' }],
    ['Internal only', ['', 'x', '', '', ''], { not: 'x' }],
    ['Staff only', ['n', 'y', 'n', 'n', 'n'], { not: 'y' }],
    ['nicht öffentlich', ['nein', 'ja', 'nein', 'nein', 'nein'], { not: 'ja' }],
    ['Nicht ausblenden', ['ja', 'ja', 'nein', 'ja', 'ja'], { not: 'nein' }],
    ['unpublished', [false, true, false, false, false], { not: 'true' }],
    ['Show on website', ['yes', 'no', 'yes', 'yes', 'yes'], { not: 'no' }],
    ['Publish?', ['yes', '', 'yes', 'no', 'yes'], { is: 'yes' }],
    ['Publish?', ['yes', '', '', '', ''], { is: 'yes' }],
  ])('%s with %j', (name, values, rule) => {
    const id = `meaning of ${name}`;
    expect(condition(name, values)).toEqual({ when: { field: name, ...rule }, deleted: undefined, asked: [id] });
    expect(condition(name, values, { [id]: 'publish' })).toEqual({ when: undefined, deleted: undefined, asked: [] });
  });

  test.each([
    ['Activated', [false, true, false, true, false], undefined, 'false'],
    ['Deactivated', [false, true, false, false, false], { is: 'true' }, 'true'],
    ['Not active', ['no', 'no', 'yes', 'no', 'no'], { is: 'yes' }, 'yes'],
  ])('%s with %j', (name, values, rule, is) => {
    const id = `meaning of ${name}`;
    const deleted = rule && { field: name, ...rule };
    expect(condition(name, values)).toEqual({ when: undefined, deleted, asked: [id] });
    expect(condition(name, values, { [id]: 'leave out' }).deleted).toEqual({ field: name, is });
  });

  test('A flag that most records do not have hides nothing, but the question says how', () => {
    const { when, open } = proposalFor(events('published', ['no', 'no', 'no', 'yes', 'no']));
    expect(when).toBeUndefined();
    expect(open).toMatchObject([
      { safe: 'publish', comment: expect.stringContaining('when: { field: published, not: "no" }') },
    ]);
  });

  test.each([
    ['online', [false, true, true, false, true]],
    ['Online?', ['yes', 'no', 'yes', 'no', 'yes']],
    ['isOnline', [1, 0, 1, 0, 1]],
  ])('%s says where an event is, not whether it is published', (name, values) =>
    expect(condition(name, values)).toEqual({ when: undefined, deleted: undefined, asked: [] }),
  );
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
