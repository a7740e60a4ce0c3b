/** Days that programs write if they have none, and what these are. */
const noDays = new Map([
  ['1970-01-01', 'the first day of Unix time'],
  ['1969-12-31', 'the first moment of Unix time, west of Greenwich'],
  ['1899-12-30', 'day 0 of spreadsheets'],
  ['1899-12-31', 'day 0 of spreadsheets'],
  ['1900-01-01', 'the first day of spreadsheets and databases'],
  ['1904-01-01', 'the first day of spreadsheets on a Mac'],
  ['1858-11-17', 'the first day of VMS'],
  ['1753-01-01', 'the first day of SQL Server'],
  ['1601-01-01', 'the first day of Windows'],
  ['1000-01-01', 'the first day of MySQL'],
  ['4501-01-01', 'the day of Outlook for "none"'],
]);
const noYears = new Map([
  ['0000', 'the year 0'],
  ['0001', 'the first year of .NET and of databases'],
  ['9999', 'the last year of databases'],
]);

/** Returns what a day (YYYY-MM-DD) is if programs write it for "no day"; undefined for other days. */
export function noDayReason(date: string): string | undefined {
  return noDays.get(date) ?? noYears.get(date.slice(0, 4));
}

/** Describes a time of day that a spreadsheet has written as a moment of its day 0. Its zone then had another offset than today. */
export const SHEET_TIME =
  'is a time of day that a spreadsheet has written as a moment of its day 0, in an uncertain zone. Export the column as text, such as 19:30: format it as plain text, or use getDisplayValues in Apps Script';

/** Returns whether a text is such a time of day. */
export function isTimeOfSheet(text: string): boolean {
  return /^(?:1899-12-3[01]|1970-01-01)[T ]|\b1899\b.{0,20}\d\d:\d\d|^Date\(1899,/.test(text);
}
