/** The languages (BCP 47) in which the names of months and weekdays are recognised, the most frequent first. */
export const languages: readonly string[] = [
  ...['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv', 'da', 'nb', 'fi', 'pl', 'cs', 'sk', 'hu', 'ro', 'ca', 'hr'],
  ...['sl', 'et', 'lv', 'lt', 'tr', 'el', 'ru', 'uk', 'bg'],
];

/** The shortest prefix that is accepted for a name: "Sept", but not "J". */
const shortestPrefix = 3;

type Names = ReadonlyArray<ReadonlySet<string>>;

/** A moment in each month and on each weekday. 7 January 2024 was a Sunday. */
const samples = {
  month: Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month, 1)),
  weekday: Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, 7 + day)),
};

const namesByLanguage = new Map<string, Names>();

/** Returns the number of a month, 1 to 12, by its name in a language (BCP 47): full, short, or a unique prefix. */
export function monthOf(name: string, language: string): number | undefined {
  const index = indexOf(name, namesIn(language, 'month'));
  return index === undefined ? undefined : index + 1;
}

/** Returns the number of a weekday, 0 (Sunday) to 6, by its name in a language. */
export function weekdayOf(name: string, language: string): number | undefined {
  return indexOf(name, namesIn(language, 'weekday'));
}

function namesIn(language: string, part: keyof typeof samples): Names {
  const known = namesByLanguage.get(`${language} ${part}`);
  if (known) return known;
  const names = samples[part].map((epochMs) => namesOf(language, part, epochMs));
  namesByLanguage.set(`${language} ${part}`, names);
  return names;
}

/** Returns the long and short forms, both alone and within a date, because many languages decline names there. */
function namesOf(language: string, part: keyof typeof samples, epochMs: number): ReadonlySet<string> {
  const written = (['long', 'short'] as const).flatMap((style) =>
    [{}, { day: 'numeric' as const }].map((more) => {
      const options = { [part]: style, ...more, timeZone: 'UTC', calendar: 'gregory' };
      const format = new Intl.DateTimeFormat(language, options);
      return format.formatToParts(epochMs).find(({ type }) => type === part)?.value ?? '';
    }),
  );
  return new Set(written.map(plain));
}

function indexOf(name: string, known: Names): number | undefined {
  const wanted = plain(name);
  const exact = known.findIndex((names) => names.has(wanted));
  if (exact >= 0) return exact;
  if (wanted.length < shortestPrefix) return undefined;
  const matches = known.flatMap((names, index) => ([...names].some((full) => full.startsWith(wanted)) ? [index] : []));
  return matches.length === 1 ? matches[0] : undefined;
}

function plain(name: string): string {
  return name.normalize('NFC').toLowerCase().replaceAll('.', '');
}
