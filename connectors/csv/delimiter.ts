import type { Line } from './lines.ts';

const candidates = [',', ';', '\t', '|'] as const;

/**
 * Finds the delimiter, in this order: as configured, as a first line `sep=;` says (a custom of spreadsheets), as the first
 * line shows. That line may be long in coming: blank lines and comments go before it.
 * @returns the delimiter and the lines still to be read, without a `sep=` line.
 */
export async function settleDelimiter(
  lines: AsyncGenerator<Line>,
  options: { delimiter?: string; quote: string; comment?: string },
): Promise<{ delimiter: string; rest: AsyncGenerator<Line> }> {
  const first = await firstContent(lines, options.comment);
  const announced = /^sep=(.)$/i.exec(first?.text ?? '')?.[1];
  return {
    delimiter: options.delimiter ?? announced ?? mostFrequent(first?.text ?? '', options.quote),
    rest: resume(announced === undefined ? first : undefined, lines),
  };
}

async function firstContent(lines: AsyncGenerator<Line>, comment: string | undefined): Promise<Line | undefined> {
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const { text } = next.value;
    if (text.trim() !== '' && !(comment !== undefined && text.startsWith(comment))) return next.value;
  }
  return undefined;
}

function mostFrequent(line: string, quote: string): string {
  // Every second part lies between quotes.
  const unquoted = line.split(quote).filter((_, index) => index % 2 === 0);
  const counts = candidates.map((candidate) => unquoted.join('').split(candidate).length - 1);
  return candidates[counts.indexOf(Math.max(...counts))] ?? ',';
}

async function* resume(first: Line | undefined, lines: AsyncGenerator<Line>): AsyncGenerator<Line> {
  try {
    if (first) yield first;
    yield* lines;
  } finally {
    await lines.return(undefined);
  }
}
