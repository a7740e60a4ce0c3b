/** One physical line of a text. */
export interface Line {
  /** Counted from 1. */
  number: number;
  /** The text of the line; if the line is too long, only its beginning. */
  text: string;
  /** The line end; '' for a last line without one. */
  end: string;
  tooLong: boolean;
}

/** Number of characters of a too long line that are kept, to show them. */
const HEAD_LENGTH = 200;

/**
 * Splits streamed text into lines, holding no more than one line of `maxLength` characters. Yields the lines of each chunk
 * together: a promise for each line would cost more than the splitting.
 * @param lineEnd with the flag g. Default: LF, CRLF and CR, in any mixture
 */
export async function* splitLines(
  text: AsyncIterable<string>,
  maxLength: number,
  lineEnd = /\r\n|\n|\r/g,
): AsyncGenerator<Line[]> {
  let number = 0;
  /** The beginning of a line, without a final CR, which may be the first half of a CRLF. */
  let rest = '';
  let heldCr = '';
  let head: string | undefined;
  const line = (content: string, end: string): Line => {
    number += 1;
    const result = { number, text: head ?? content, end, tooLong: head !== undefined || content.length > maxLength };
    head = undefined;
    return result;
  };
  for await (const chunk of text) {
    const lines: Line[] = [];
    const buffer = heldCr + chunk;
    let start = 0;
    lineEnd.lastIndex = 0;
    for (let match = lineEnd.exec(buffer); match !== null; match = lineEnd.exec(buffer)) {
      if (match[0] === '\r' && lineEnd.lastIndex === buffer.length) break;
      lines.push(line(rest + buffer.slice(start, match.index), match[0]));
      rest = '';
      start = lineEnd.lastIndex;
    }
    heldCr = buffer.endsWith('\r') ? '\r' : '';
    rest += buffer.slice(start, buffer.length - heldCr.length);
    if (rest.length > maxLength) {
      head ??= rest.slice(0, HEAD_LENGTH);
      rest = '';
    }
    yield lines;
  }
  if (heldCr !== '' || rest !== '' || head !== undefined) yield [line(rest, heldCr)];
}
