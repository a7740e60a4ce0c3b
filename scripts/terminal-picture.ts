const COLUMN = 8.4;
const LINE = 20;
const MARGIN = 20;
const BAR = 36;

const COLOURS = { prompt: '#8b949e', text: '#e6edf3', green: '#3fb950', red: '#ff7b72', yellow: '#d29922' };

/** Words that the terminal shows in colour. Goldens are plain text, so the picture colours them again. */
const COLOURED: Array<[RegExp, keyof typeof COLOURS]> = [
  [/^ *(?:✓|\+ create|\+)(?= )|\bsuccess\b/g, 'green'],
  [/\bFF_[A-Z_]+\b|^ *✗|^- delete|\b(?:failed|held)\b(?= {2})/g, 'red'],
  [/^ *[!~](?= )|\bpartial\b/g, 'yellow'],
];

interface Part {
  text: string;
  column: number;
  colour?: keyof typeof COLOURS | undefined;
  bold?: boolean;
}

/** Draws what a terminal shows as an SVG. Lines that begin with `$ ` are commands. */
export function terminalPicture(title: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  const columns = Math.max(...lines.map((line) => [...line].length), 60);
  const width = Math.ceil(columns * COLUMN + 2 * MARGIN);
  const height = BAR + lines.length * LINE + MARGIN;
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map((fill, index) => circle(MARGIN + index * 20, fill));
  const rows = lines.map((line, index) => row(line, BAR + (index + 1) * LINE - 4)).filter(Boolean);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...dots,
    `<g font-family="Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14" fill="${COLOURS.text}">`,
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Draws a line. Each part has its own x position, so that tables stay aligned in any font. */
function row(line: string, y: number): string {
  const parts = partsOf(line).map(({ text, column, colour, bold }) => {
    const look = `${colour ? ` fill="${COLOURS[colour]}"` : ''}${bold ? ' font-weight="bold"' : ''}`;
    return `<tspan x="${Number((MARGIN + column * COLUMN).toFixed(1))}"${look}>${escaped(text)}</tspan>`;
  });
  return parts.length > 0 ? `<text y="${y}">${parts.join('')}</text>` : '';
}

/** Splits a line before and after coloured words, and at several blanks. */
function partsOf(line: string): Part[] {
  if (line.startsWith('$ '))
    return [
      { text: '$', column: 0, colour: 'prompt' },
      { text: line.slice(2), column: 2, bold: true },
    ];
  const colours = COLOURED.flatMap(([pattern, colour]) =>
    [...line.matchAll(pattern)].map(({ index, 0: word }) => ({ from: index, to: index + word.length, colour })),
  );
  const cuts = [...line.matchAll(/ {2,}/g)].flatMap(({ index, 0: blanks }) => [index, index + blanks.length]);
  const edges = [...new Set([0, ...cuts, ...colours.flatMap(({ from, to }) => [from, to]), line.length])];
  return edges
    .toSorted((a, b) => a - b)
    .map((from, index, sorted) => {
      const text = line.slice(from, sorted[index + 1]);
      const column = from + text.length - text.trimStart().length;
      return { text: text.trim(), column, colour: colours.find((each) => each.from <= from && from < each.to)?.colour };
    })
    .filter(({ text }) => text !== '');
}

function circle(x: number, fill: string): string {
  return `<circle cx="${x + 6}" cy="${BAR / 2}" r="6" fill="${fill}"/>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
