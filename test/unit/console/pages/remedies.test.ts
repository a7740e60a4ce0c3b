import { describe, expect, test } from 'vitest';
import { acting } from '../../../../src/console/api/acting.ts';
import { pages } from '../../../../src/console/pages/routes.ts';
import { advice, linesToCopy, problemNotice, prose } from '../../../../src/console/parts/notice.ts';
import { type ErrorCode, errorTable } from '../../../../src/core/errors.ts';
import { terminalText } from '../../../../src/core/text/text-parts.ts';

const subject = { run: 'r 1', sync: 'talks', key: 'T 1' };
/** Commands that the console has no page or button for. */
const ONLY_COMMANDS = /^feedferry (backup|restore|start|help|init|preview|sandbox|validate|--help|COMMAND --help)\b/;
const patterns = pages.map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`));
const codes = Object.keys(errorTable) as ErrorCode[];

describe('Remedies on pages', () => {
  test.each(codes)('%s has no backticks, and no command that the console has a button for', (code) => {
    const { cause, remedy } = errorTable[code];
    for (const about of [subject, { sync: 'talks' }, {}]) {
      const shown = String(problemNotice({ code, message: cause, remedy }, 'bad', about));
      expect(shown).not.toContain('`');
      expect(shown).not.toContain('undefined');
      const commands = [...shown.matchAll(/<code>(feedferry [^<]+)<\/code>/g)].map(([, command = '']) => command);
      expect(commands.filter((command) => !ONLY_COMMANDS.test(command))).toEqual([]);
      const addresses = [...shown.matchAll(/href="([^"]+)"/g)].map(([, address = '']) => address.replace(/[?#].*/, ''));
      const unknown = addresses.filter(
        (path) => path !== '/api/openapi.json' && !patterns.some((each) => each.test(path)),
      );
      expect(unknown).toEqual([]);
    }
  });

  test.each(codes)('%s has no code in its sentences, only in the fold for support', (code) => {
    const { cause, remedy } = errorTable[code];
    const shown = String(problemNotice({ code, message: '', remedy }, 'bad', subject));
    const [sentences = '', fold = ''] = shown.split('<details>');
    expect(sentences).not.toMatch(/<code>|<pre|\b[A-Z]+_[A-Z]/);
    expect(fold).toContain(code);
    expect(cause).not.toBe('');
  });

  test('keep what everyone understands before what the people who run feedferry do, and name attributes as people read them', () => {
    const shown = (text: string) => String(advice(text, subject)).replaceAll(/<[^>]+>/g, '|');
    expect(shown('Correct the value in the source, or add a default: `{ default: VALUE }`.')).toMatch(
      /^\|Correct the value in the source\.\|.*For support.*Or add a default: \|\{ default: VALUE \}\|/,
    );
    expect(shown('Try again. Set HTTP_PORT. It then listens.')).toMatch(
      /^\|Try again\.\|.*Set HTTP_PORT\. It then listens\./,
    );
    expect(shown('Set `a.b`. If so: `feedferry retry SYNC KEY`.')).toMatch(/^\|If so: \|Retry\|\..*Set \|a\.b\|/);
    expect(shown('Check the map.')).toBe('|Check the map.|');
    expect(String(prose('endDate: "x" is not a date'))).toBe('end date: &quot;x&quot; is not a date');
    expect(String(prose('time.end: 25:10'))).toBe('end time: 25:10');
  });

  test('lead to the page of what they are about', () => {
    const shown = (text: string, about = {}) => String(prose(text, about));
    expect(shown('If they should go: `feedferry approve RUN`.', subject)).toBe(
      'If they should go: <a href="/runs/r%201/plan#decision">approve the plan</a>.',
    );
    expect(shown('`feedferry explain SYNC KEY` shows it.', subject)).toBe(
      '<a href="/syncs/talks/record?key=T+1">The page of the record</a> shows it.',
    );
    expect(shown('See `feedferry retry talks`.')).toBe('See <a href="/syncs/talks">Retry</a>.');
    expect(shown('If so: `feedferry retry talks "T 1" --same`.')).toBe(
      'If so: <a href="/syncs/talks/record?key=T+1#answer">answer “The same”</a>.',
    );
    expect(shown('Then run `feedferry verify --heal`.', { sync: 'talks' })).toBe(
      'Then run <a href="/syncs/talks/verification">the repair of what differs</a>.',
    );
    expect(shown('Answer: `feedferry questions talks`.')).toBe(
      'Answer: <a href="/syncs/talks/questions">the questions</a>.',
    );
    // A page is linked once, whatever record the text is about.
    const { remedy } = errorTable.FF_RECORD_REVIEW;
    expect(shown(remedy, subject)).toBe(
      'All that wait: <a href="/syncs/talks/questions">the questions</a>. To publish: ' +
        '<a href="/syncs/talks/record?key=T+1#answer">answer “Publish it”</a>. To leave it out for good: answer “Leave it out”.',
    );
    expect(shown('If it should stay: `feedferry acknowledge SYNC KEY`.', subject)).toBe(
      'If it should stay: <a href="/syncs/talks/rejects">acknowledge the reject</a>.',
    );
    expect(shown('Set `source.url`, or `feedferry release SYNC`.', subject)).toBe(
      'Set <code>source.url</code>, or <a href="/syncs/talks#release">keep its items, but stop managing them</a>.',
    );
    expect(shown('`<script>` & `feedferry <b>`')).not.toMatch(/<(script|b)>/);
  });

  test('have lines to copy as a block of their own', () => {
    const text = 'It has no column "title". Write:\n    map:\n      title: "Event <name>"\nThen run it.';
    expect(String(prose(text))).toBe('It has no column &quot;title&quot;. Write:Then run it.');
    expect(String(linesToCopy(text))).toContain('>map:\n  title: &quot;Event &lt;name&gt;&quot;</pre>');
    expect(linesToCopy('No lines.')).toBeUndefined();
  });
});

test('Each action of the console that people may need is a page or button, not a command', () => {
  expect(Object.keys(acting)).toEqual(expect.arrayContaining(['approve', 'retry', 'adopt', 'undo', 'purge']));
});

test('A terminal shows commands that can be copied', () => {
  const text = 'Use `feedferry retry SYNC KEY`, or set `RUN`.';
  expect(terminalText(text, { sync: 'talks', key: 'T1' })).toBe('Use `feedferry retry talks T1`, or set `RUN`.');
  expect(terminalText(text, { sync: 'talks', key: 'T 1' })).toBe('Use `feedferry retry talks "T 1"`, or set `RUN`.');
  // Quotes do not keep a shell from reading it.
  expect(terminalText(text, { sync: 'talks', key: 'T $(1)' })).toContain('retry talks KEY`');
});
