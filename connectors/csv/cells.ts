/** A cell as a spreadsheet has written it: its value, or why it has none. */
export interface Cell {
  value: string;
  /** Why the value is not what the cell shows in the spreadsheet. */
  problem?: string;
  /** The address of a link, of which the value is the text. */
  address?: string;
  /** The value differs from the text of the cell, which may have been meant as it is. */
  isGuess?: true;
}

/** Error values as spreadsheets write them: Excel, LibreOffice and Google Sheets, in English and in the languages that translate them. */
const ERRORS = new Set(
  (
    '#REF! #N/A #NAME? #VALUE! #DIV/0! #NULL! #NUM! #SPILL! #CALC! #GETTING_DATA #FIELD! #BLOCKED! #CONNECT! #UNKNOWN! #BUSY! #EXTERNAL! #PYTHON! #TIMEOUT! #ERROR! ' +
    // German, French, Spanish, Portuguese, Italian, Dutch
    '#BEZUG! #NV #WERT! #ZAHL! #ÜBERLAUF! #FELD! #DATEN_ABRUFEN #NOM? #VALEUR! #NOMBRE! #NUL! #PROPAGATION! #CHAMP! ' +
    '#¡REF! #¿NOMBRE? #¡VALOR! #¡DIV/0! #¡NUM! #¡NULO! #¡DESBORDAMIENTO! #N/D #NOME? #VALOR! #NÚM! #NULO! #RIF! #VALORE! #NULLO! #ESPANSIONE! ' +
    '#VERW! #NAAM? #WAARDE! #N/B #GETAL! #DEEL/0! #LEEG! #OVERLOOP! ' +
    // Polish, Russian, Czech, Hungarian, Turkish, Swedish, Danish, Norwegian, Finnish
    '#ADR! #NAZWA? #ARG! #LICZBA! #DZIEL/0! #ZERO! #ССЫЛКА! #ИМЯ? #ЗНАЧ! #Н/Д #ЧИСЛО! #ДЕЛ/0! #ПУСТО! #ODKAZ! #NÁZEV? #HODNOTA! #ČÍSLO! #DĚLENÍ_NULOU! #NENÍ_K_DISPOZICI ' +
    '#HIV! #NÉV? #ÉRTÉK! #HIÁNYZIK #SZÁM! #ZÉRÓOSZTÓ! #NULLA! #BAŞV! #AD? #DEĞER! #YOK #SAYI! #SAYI/0! #BOŞ! ' +
    '#REFERENS! #NAMN? #VÄRDEFEL! #SAKNAS! #OGILTIGT! #DIVISION/0! #SKÄRNING! #REFERENCE! #NAVN? #VÆRDI! #I/T #VERDI! #VIITTAUS! #NIMI? #ARVO! #PUUTTUU! #LUKU! #JAKO/0! #TYHJÄ!'
  ).split(' '),
);
const OTHER_ERROR = /^(?:Err:\d{3}|Loading\.\.\.|#{3,})$/;

/** What formulas begin with. Not =) or = equals, +49 30 1234 or @name. */
const FORMULAS = [
  // =SUM(A1:A3), =Table1[Total], =2*3, ="A"&B1
  /^=\s*[-+]?[A-Z_][A-Z0-9_.]*[([]/i,
  /^=\s*[-+]?\d+[-+*/^&]\d/,
  /^=\s*"[^"]*"\s*&/,
  // =A1&B1, =$A$1+2; =Sheet1!A1, ='Sheet 1'!A1
  /^[=+]\s*[-+]?\$?[A-Z]{1,3}\$?\d{1,7}\s*(?:$|[-+*/^&<>=:,;)])/,
  /^[=+]\s*[-+]?(?:'[^']+'|\w+)!\$?[A-Z]{1,3}\$?\d/,
  // @SUM(A1:A3)
  /^[+@][A-Z][A-Z0-9.]+\(/,
];
const HYPERLINK = /^=\s*HYPERLINK\(\s*"((?:[^"]|"")*)"\s*(?:[,;]\s*"((?:[^"]|"")*)"\s*)?\)$/i;
const MARKED_TEXT = /^="((?:[^"]|"")*)"$/;
/** An apostrophe before a number with a leading zero, or before what would otherwise be a formula. */
const APOSTROPHE = /^'(?=0\d*$|[=+@]|-\d)[^']*$/;
/** As spreadsheets show a long number, or any number in a narrow column. */
const EXPONENTIAL = /^[-+−]?\d(?:[.,٫](\d{1,14}))?E\+(\d\d)$/;

/** What these texts begin with: quick, because it is asked of every cell. */
const SPECIAL_START = /^\s*(?:[#=]|[+@][A-Z$']|'[0=+@-]|Err:|Loading)/;

/** Returns whether a text may be one of these. */
export function mayBeSpecial(text: string): boolean {
  const first = text.charCodeAt(0);
  // 1.23457E+12, -1,23E+05: the plus is not one of a formula.
  if (text.charCodeAt(text.length - 3) === 43) return true;
  // Letters and digits, except those of Err and Loading.
  if (first > 47 && first !== 61 && first !== 64 && first !== 69 && first !== 76) return false;
  return SPECIAL_START.test(text);
}

/** Reads a cell that a spreadsheet may have written. Other texts are returned as they are. */
export function readCell(text: string): Cell {
  const trimmed = text.trim();
  if (ERRORS.has(trimmed.toUpperCase()) || OTHER_ERROR.test(trimmed)) {
    const hint = trimmed.startsWith('###') ? 'the column is too narrow' : 'correct its formula';
    return { value: text, problem: `is an error of a spreadsheet; ${hint} there` };
  }
  if (isRounded(trimmed)) {
    return { value: text, problem: 'has lost its last digits; format the column as text in the spreadsheet' };
  }
  const marked = MARKED_TEXT.exec(trimmed)?.[1];
  if (marked !== undefined) return { value: marked.replaceAll('""', '"') };
  const [link, ...parts] = HYPERLINK.exec(trimmed) ?? [];
  if (link !== undefined) {
    const [address = '', text] = parts.map((part = '') => part.replaceAll('""', '"'));
    return { value: text || address, address, isGuess: true };
  }
  if (FORMULAS.some((formula) => formula.test(trimmed)))
    return { value: text, problem: 'is a formula, not its result; export the values' };
  if (APOSTROPHE.test(trimmed)) return { value: trimmed.slice(1), isGuess: true };
  return { value: text };
}

/** Whether a number is written with fewer digits than it has. */
function isRounded(text: string): boolean {
  const [, decimals = '', exponent = '0'] = EXPONENTIAL.exec(text) ?? [];
  return Number(exponent) > decimals.length;
}
