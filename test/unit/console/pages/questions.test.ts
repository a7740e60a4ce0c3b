import { describe, expect, test } from 'vitest';
import { pageOfDocument } from '../../../../src/console/pages/as-html.ts';
import { questionsDocument } from '../../../../src/documents/questions.ts';
import { attentionFor } from '../../../../src/queries/syncs/attention.ts';
import type { QuestionsView } from '../../../../src/queries/views/question.ts';
import { ATTACK, aContext, aSyncRow, bodyOf, onlyViewer } from '../sample-views.ts';
import { servePages } from './serve-pages.ts';

const event = { title: 'Requiem', day: '2031-03-01', start: '19:00', place: 'Main Hall', description: ATTACK };
const records = [
  { key: 'music/7', source: 'music', title: 'Requiem', event: { ...event, place: 'Great Hall', end: '21:00' } },
  { key: 'central/1', source: 'central', title: 'Requiem', event },
];
const answer = { why: 'places', about: 'great hall ~ main hall', answer: 'same', person: 'Ann' } as const;
const view: QuestionsView = {
  sync: 'campus',
  total: 1,
  questions: [{ id: '3822585d', why: 'places', reason: 'They are at the same time.', records, waiting: 12 }],
  answers: [{ id: '11aa22bb', at: '2027-03-01T15:00:00.000Z', note: 'renamed', ...answer }],
};
const shown = (more: Partial<QuestionsView> = {}, context = aContext()) =>
  bodyOf(questionsDocument({ ...view, ...more }), context);

describe('The questions of a sync with several sources', () => {
  test('show both sides beside each other, why they are asked, and how many records wait', () => {
    const text = shown();
    expect(text).toMatch(/<th[^>]*>music<\/th><th[^>]*>central<\/th>/);
    expect(text).toMatch(/Place<\/th><td[^>]*>Great Hall<\/td><td[^>]*>Main Hall/);
    expect(text).toMatch(/Time<\/th><td[^>]*>19:00 – 21:00<\/td><td[^>]*>19:00/);
    expect(text).toContain('They are at the same time. 12 records wait for the answer.');
    expect(text).toContain('href="/syncs/campus/record?key=music%2F7"');
    expect(text).toContain('<button name="answer" value="same">The same</button>');
    expect(text).toContain('<button name="answer" value="distinct">Different</button>');
    expect(text).toMatch(/great hall ~ main hall<\/th>.*the same.*by Ann on .*<q>renamed<\/q>.*Take back/s);
    expect(text).not.toContain('<script>');
  });

  test('say that none is open, or how many there are', () => {
    expect(shown({ questions: [], total: 0, answers: [] })).toContain('No question is open.');
    expect(shown({ total: 250 })).toContain('The first 1 of 250 questions.');
  });

  test('list the records that look like other items, to be answered for together; none of them without a selection', async () => {
    const alike = ['7', '8'].map((key) => ({ key, title: `Talk ${key}`, reason: `It looks like item ${key}.` }));
    const text = shown({ questions: [], total: 0, alike });
    expect(text).not.toContain('No question is open.');
    expect(text).toMatch(/Talk 7.*It looks like item 7.*Answer all 2/s);
    expect(text).toContain('aria-label="Select Talk 8"');
    const { url, get, done } = await servePages({ questions: async () => ({ ...view, alike }) });
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec((await get('/syncs/campus/questions')).text) ?? [];
    const send = (fields: string) =>
      fetch(`${url}/syncs/campus/retry`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${fields}&answer=distinct&csrf=${encodeURIComponent(csrf)}`,
        redirect: 'manual',
      });
    const back = 'back=/syncs/campus/questions&hint=alike-none';
    expect((await send(back)).headers.get('location')).toBe('/syncs/campus/questions#alike-none');
    expect(done).toEqual([]);
    await send(`${back}&keys=8`);
    expect(done[0]?.slice(0, 2)).toEqual(['retry', { sync: 'campus', keys: ['8'], answer: 'distinct' }]);
  });

  test('list what is new and what a rule holds apart, the latter with the reasons', () => {
    const held = (why: 'new' | 'rule', id: string) => {
      const reason = 'The title is too long.';
      return {
        id,
        why,
        reason,
        records: [{ key: id, source: 'in the feed', title: id, event: { title: id } }],
        waiting: 1,
      };
    };
    const text = shown({ total: 2, questions: [held('new', 'Requiem'), held('rule', 'Opera')] });
    expect(text).toMatch(
      /1 new record to review.*Requiem.*Publish them.*Leave them out.*1 record held by rules.*Opera/s,
    );
    expect(text.split('1 record held by rules').map((part) => part.includes('The title is too long.'))).toEqual([
      ...[false, true],
    ]);
  });

  test('have a button that runs the sync after an answer', () => {
    const aside = (answers: QuestionsView['answers']) =>
      String(pageOfDocument(questionsDocument({ ...view, answers }), aContext()).aside ?? '');
    expect(aside([])).toBe('');
    expect(aside(view.answers)).toContain('Run now');
  });

  test('cannot be answered by viewers', () => {
    expect(shown({}, aContext({ viewer: onlyViewer }))).not.toContain('<form');
  });

  test.each([
    [
      'questions',
      'questions=3822585d&answer=distinct&note=',
      ['answer', { questions: ['3822585d'], answer: 'distinct' }],
    ],
    [
      'questions',
      'questions=3822585d&answer=same&note=why',
      ['answer', { questions: ['3822585d'], answer: 'same', note: 'why' }],
    ],
    ['questions/take-back', 'questions=11aa22bb', ['takeBackAnswers', { questions: ['11aa22bb'] }]],
  ])('The form %s with %s leads back to the page', async (path, fields, [name, given]) => {
    const { url, get, done } = await servePages({ questions: async () => view });
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec((await get('/syncs/campus/questions')).text) ?? [];
    const response = await fetch(`${url}/syncs/campus/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `${fields}&csrf=${encodeURIComponent(csrf)}`,
      redirect: 'manual',
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, `/syncs/campus/questions?done=${name}`]);
    expect(done[0]?.slice(0, 2)).toEqual([name, { sync: 'campus', ...(given as object) }]);
  });

  test('need a person, but are no problem of the sync', () => {
    const syncs = [aSyncRow({ sync: 'campus', questions: 2 }), aSyncRow({ questions: 0 })];
    const target = { baseUrl: 'https://cms.example.edu', state: 'open' } as const;
    const items = attentionFor({ target, syncs, orphans: [], scheduler: { isRunning: true }, timezone: 'UTC' });
    expect(items).toMatchObject([{ is: 'questions', sync: 'campus', text: '2 questions are open.' }]);
  });

  test.each([
    [{ same: 0, new: 3, rule: 0 }, 3, ['reviews: 3 new events wait; none is on the site.']],
    [
      { same: 0, new: 1, rule: 1 },
      3,
      [
        'undelivered: Not delivered: 1 held.',
        'reviews: 1 new event waits; it is not on the site. 1 event is held by a rule; the site keeps what it has of it.',
      ],
    ],
    [{ same: 1, new: 0, rule: 0 }, 1, ['questions: 1 question is open.']],
  ])('count what is held for an answer once: %o of %i held records', (heldFor, held, expected) => {
    const row = aSyncRow({ heldFor, questions: heldFor.same, undelivered: { pending: 0, failed: 0, held } });
    const target = { baseUrl: 'https://cms.example.edu', state: 'open' } as const;
    const items = attentionFor({ target, syncs: [row], orphans: [], scheduler: { isRunning: true }, timezone: 'UTC' });
    expect(items.map(({ is, text }) => `${is}: ${text}`)).toEqual(expected);
  });
});
