const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** A form of rule in vCalendar 1.0: FREQ, and what makes parts of RFC 5545 of the words after the interval. */
interface Form {
  freq: string;
  partsOf: (words: readonly string[]) => string[] | undefined;
}

const forms: Readonly<Record<string, Form>> = {
  D: { freq: 'DAILY', partsOf: (words) => (words.length === 0 ? [] : undefined) },
  W: {
    freq: 'WEEKLY',
    partsOf: (words) => listOf('BYDAY', words, (word) => (weekdays.includes(word) ? word : undefined)),
  },
  MD: {
    freq: 'MONTHLY',
    partsOf: (words) => listOf('BYMONTHDAY', words, (word) => (word === 'LD' ? '-1' : signed(word))),
  },
  MP: { freq: 'MONTHLY', partsOf: numberedWeekdays },
  YM: { freq: 'YEARLY', partsOf: (words) => listOf('BYMONTH', words, signed) },
  YD: { freq: 'YEARLY', partsOf: (words) => listOf('BYYEARDAY', words, signed) },
};

/**
 * Returns a rule of vCalendar 1.0, such as `W1 MO WE #10`, in the form of RFC 5545; undefined for any other text, and for rules with
 * times of day. The number after `#` is that of all occurrences, 0 means for ever. Without it, and without an end, there are two.
 */
export function ruleOfVersion1(text: string): string | undefined {
  const [head = '', ...words] = text.trim().toUpperCase().replaceAll('$', ' ').split(/\s+/);
  const [, name = '', interval] = /^([A-Z]+)(\d{1,9})$/.exec(head) ?? [];
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (form === undefined) return undefined;
  const isEnd = (word: string) => /^(?:#\d+|\d{8}(?:T\d{6}Z?)?)$/.test(word);
  const parts = form.partsOf(words.filter((word) => !isEnd(word) && word !== ''));
  if (parts === undefined) return undefined;
  const ends = words.filter(isEnd).flatMap((word) => (word.startsWith('#') ? countOf(word) : [`UNTIL=${word}`]));
  const hasEnd = words.some(isEnd);
  return [`FREQ=${form.freq}`, `INTERVAL=${interval}`, ...parts, ...(hasEnd ? ends : ['COUNT=2'])].join(';');
}

function countOf(word: string): string[] {
  const count = Number(word.slice(1));
  return count === 0 ? [] : [`COUNT=${count}`];
}

function listOf(
  name: string,
  words: readonly string[],
  read: (word: string) => string | undefined,
): string[] | undefined {
  const values = words.map(read);
  if (values.includes(undefined)) return undefined;
  return values.length === 0 ? [] : [`${name}=${values.join(',')}`];
}

/** Reads `1+ SU 1- FR MO`: each number counts for all weekdays after it. */
function numberedWeekdays(words: readonly string[]): string[] | undefined {
  let number: string | undefined;
  const days: string[] = [];
  for (const word of words) {
    if (!weekdays.includes(word)) number = signed(word);
    else if (number !== undefined) days.push(`${number}${word}`);
    else return undefined;
  }
  return days.length === 0 ? undefined : [`BYDAY=${days.join(',')}`];
}

/** Reads `2`, `2+` or `2-` as 2 or -2. */
function signed(word: string): string | undefined {
  const [, number, sign] = /^(\d{1,3})([+-]?)$/.exec(word) ?? [];
  return number && `${sign === '-' ? '-' : ''}${Number(number)}`;
}
