/** Line ends inside the cells of a spreadsheet, whose rows are one line each in its text. */
export const LINE_END_IN_CELL = '\u2028';
