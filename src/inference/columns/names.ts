/** Words in front of a name that do not change its meaning: "Event Title" is a title. */
const leading = new Set(
  (
    'event events veranstaltung veranstaltungs evenement evento eventos evt item node post program session activity ' +
    'fields field properties attributes data record meta acf person staff user employee member contact mitarbeiter ' +
    'account profile people faculty work primary public official your instances instance occurrences occurrence ' +
    'schedule schedules dates timing timings period when local utc gmt current web evt act formatted'
  ).split(' '),
);
const trailing = new Set(
  'text value rendered plain html raw full iso de en fr es it nl pl pt sv da fi cs hu ru local utc gmt zulu z required optional field display'.split(
    ' ',
  ),
);

/** Dictionary of the names of a field: phrase → how surely a field with this name is meant, 1 to 0. */
export type Phrases = ReadonlyMap<string, number>;

/** Number of phrases in a grade whose order counts: an earlier phrase is a little likelier. */
const FIRST = 50;

/** Lists phrases in three grades, each separated by blanks. Words of one phrase are written together. */
export function phrases(sure: string, likely = '', possible = ''): Phrases {
  const graded: Array<[string, number]> = [
    [sure, 1],
    [likely, 0.8],
    [possible, 0.5],
  ];
  const all = graded.flatMap(([words, grade]) =>
    words
      .split(/\s+/)
      .filter(Boolean)
      .map((word, index): [string, number] => [foldWord(word), grade - Math.min(index, FIRST) / 1000]),
  );
  return new Map(all.reverse());
}

/** Lists the pairs of two words, in either order and with a small word between: `start date`, `date de début`. */
export function pairs(ones: string, others: string): string {
  const small = ['', 'de', 'di', 'da', 'do', 'du', 'of', 'e', 'and', 'the', 'der', 'des', 'am', 'at', 'on'];
  const all = ones
    .split(' ')
    .flatMap((one) =>
      others.split(' ').flatMap((other) => small.flatMap((between) => [one + between + other, other + between + one])),
    );
  return all.join(' ');
}

/** Returns how surely the names in the path of a field are a phrase of the dictionary, 1 to 0. */
export function nameScore(names: readonly string[], known: Phrases): number {
  return Math.max(0, ...variants(names).map(({ phrase, weight }) => (known.get(phrase) ?? 0) * weight));
}

/** Splits a name into words in lower case without accents: `startDate_UTC` is start, date, utc. */
export function wordsOf(name: string): string[] {
  const words = name
    .replace(/\([^()]*\)|\[[^[\]]*\]/g, ' ')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return foldWord(words)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** Writes a word in lower case and without accents, as names are compared. */
export function foldWord(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll('ς', 'σ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
}

const readingsOf = new Map<string, Array<{ phrase: string; weight: number }>>();

/** Returns the phrases that the names may be. With every word that is left out, the weight is a little lower. */
function variants(names: readonly string[]): Array<{ phrase: string; weight: number }> {
  const id = names.join('\n');
  const found = readingsOf.get(id) ?? [...readings(names.map(wordsOf))];
  readingsOf.set(id, found);
  return found;
}

function* readings(levels: string[][]): Generator<{ phrase: string; weight: number }> {
  for (const [start] of levels.entries()) {
    const words = levels.slice(start).flat();
    // The names above a field count, too: the name of a venue is not the name of an event.
    const outer = levels.slice(0, start).flat();
    if (!outer.every((word) => leading.has(word))) continue;
    const weight = 1 - start * 0.02;
    for (let first = 0; first < words.length; first += 1) {
      if (first > 0 && !leading.has(words[first - 1] ?? '')) break;
      for (let end = words.length; end > first; end -= 1) {
        if (end < words.length && !trailing.has(words[end] ?? '')) break;
        const left = first + words.length - end;
        yield { phrase: words.slice(first, end).join(''), weight: weight - left * 0.02 };
      }
    }
  }
}
