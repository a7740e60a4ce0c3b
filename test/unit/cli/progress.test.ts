import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createProgressLine } from '../../../src/cli/progress.ts';

function stream(isTTY: boolean) {
  const through = Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.WriteStream;
  const written: string[] = [];
  through.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  return { through, written };
}

test('a terminal sees one line that is drawn anew', () => {
  const { through, written } = stream(true);
  const line = createProgressLine(through);
  line.show({ phase: 'delivering', sync: 'talks', settled: 3, total: 10 });
  expect(written.join('')).toContain('talks: 3 of 10 records delivered');
  line.clear();
  expect(written.join('')).not.toContain('\n');
});

test('a pipe sees nothing', () => {
  const { through, written } = stream(false);
  const line = createProgressLine(through);
  line.show({ phase: 'reading', sync: 'talks' });
  line.show({ phase: 'delivering', sync: 'talks', settled: 3, total: 10 });
  line.clear();
  expect(written).toEqual([]);
});
