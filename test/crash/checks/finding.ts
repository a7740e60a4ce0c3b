/** Something that must not be. */
export interface Finding {
  is: 'lost' | 'doubled' | 'wrong content' | 'wrong change' | 'other';
  what: string;
}
