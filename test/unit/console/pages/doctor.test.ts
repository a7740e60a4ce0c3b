import { describe, expect, test } from 'vitest';
import { doctorContent } from '../../../../src/console/pages/doctor.ts';
import type { ExaminationView, QueueView } from '../../../../src/queries/site/machine.ts';
import { aContext, onlyViewer } from '../sample-views.ts';

const queue: QueueView = {
  engine: 'bullmq',
  waiting: 1200,
  delayed: 0,
  active: 2,
  oldestMs: 65_000,
  failures: [],
  workers: [{ name: 'host-1' }],
};
const done: ExaminationView = {
  state: 'done',
  finishedAt: '2027-03-01T14:00:00.000Z',
  findings: [
    { check: 'Node', is: 'ok', message: 'Node 22.' },
    { check: 'CMS', is: 'warning', message: 'It is slow.', follows: 'Runs take longer.' },
    { check: 'Feed', is: 'problem', message: 'No <b>answer</b>.', code: 'FF_FEED_HTTP', remedy: 'Check the address.' },
  ],
};

describe('Doctor and queue', () => {
  test('Findings are counted, problems are first, each with its remedy', () => {
    const text = String(doctorContent(done, queue, aContext()).body);
    expect(text).toContain('1 problem, 1 warning');
    expect(text).toContain('2027-03-01 09:00 EST');
    expect(text).toMatch(
      /No &lt;b&gt;answer.*Check the address\..*It is slow\. <span class="muted">Runs take longer\..*Node 22\./s,
    );
  });

  test('It shows why jobs failed, and whether they are repeated', () => {
    const failed = {
      job: { sync: 'talks', run: 'r7', records: 1_200 },
      tries: 3,
      reason: 'the <b>database</b> is locked',
    };
    const failures = [{ ...failed, abandonedAt: '2027-03-01T14:00:00.000Z' }, failed];
    const text = String(doctorContent(done, { ...queue, failures }, aContext()).body);
    expect(text).toMatch(
      /\/runs\/r7.*talks.*1,200.*3.*the &lt;b&gt;database.*since.*2027-03-01 09:00 EST.*is repeated/s,
    );
    expect(String(doctorContent(done, queue, aContext()).body)).not.toContain('Failed jobs');
  });

  test('It says how long the oldest job has waited, and which workers are there', () => {
    const text = String(doctorContent(done, queue, aContext()).body);
    expect(text).toMatch(/1,200.*1 min/s);
    expect(text).toContain('host-1');
    expect(String(doctorContent(done, { ...queue, workers: [] }, aContext()).body)).toContain(
      'No worker is connected.',
    );
    expect(String(doctorContent(done, { ...queue, engine: 'in-process', workers: [] }, aContext()).body)).not.toContain(
      'orker',
    );
  });

  test('An examination is started by those who may, not while one is running', () => {
    const never: ExaminationView = { state: 'never', findings: [] };
    const running: ExaminationView = { state: 'running', findings: [] };
    const formOf = (view: ExaminationView, context = aContext()) =>
      String(doctorContent(view, queue, context).body).includes('action="/doctor"');
    expect(formOf(never)).toBe(true);
    expect(formOf(running)).toBe(false);
    expect(formOf(never, aContext({ viewer: onlyViewer }))).toBe(false);
    const seconds = (view: ExaminationView) => doctorContent(view, queue, aContext()).refreshSeconds ?? 0;
    expect(seconds(running)).toBeLessThan(seconds(done));
  });
});
