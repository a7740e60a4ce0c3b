/** The languages (BCP 47) in which the names of months and weekdays are recognised, the most frequent first. */
export const languages: readonly string[] = [
  ...'en de fr es it nl pt sv da nb fi pl cs sk hu ro ca hr sl et lv lt tr el ru uk bg ja ko zh he ar fa'.split(' '),
  ...'hi th vi id ms is ga cy eu gl sq mk sr bs mt lb fo be hy ka az kk uz ur bn ta te ml mr gu pa ne si km lo'.split(
    ' ',
  ),
  ...'my mn af sw am oc rm fil ky tg tk fy br gd'.split(' '),
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
  const narrow = part === 'weekday' ? narrowWeekdays(language) : [];
  const names = samples[part].map(
    (epochMs, index) => new Set([...namesOf(language, part, epochMs), ...narrow.slice(index, index + 1)]),
  );
  namesByLanguage.set(`${language} ${part}`, names);
  return names;
}

/** Returns the names of one letter, as in `(火)`; none if two days have the same, as in English. */
function narrowWeekdays(language: string): string[] {
  const format = new Intl.DateTimeFormat(language, { weekday: 'narrow', timeZone: 'UTC' });
  const names = samples.weekday.map((epochMs) => plain(format.format(epochMs)));
  return new Set(names).size === names.length ? names : [];
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
