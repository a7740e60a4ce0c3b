/** What two things have in common, as text. */
export type Trait = string;

/** Finds things by what they have in common with others, without comparing all of them. */
export function createTraitIndex<Entry>() {
  /** Most traits are those of one thing: lists of one would need as much memory as all else. */
  const byTrait = new Map<Trait, Entry | Entry[]>();
  return { add, sharing, isEmpty: () => byTrait.size === 0 };

  function add(traits: Iterable<Trait>, entry: Entry): void {
    for (const trait of traits) {
      const known = byTrait.get(trait);
      if (Array.isArray(known)) known.push(entry);
      else byTrait.set(trait, known === undefined ? entry : [known, entry]);
    }
  }

  /** The things that have at least one of these traits, each once, in the order in which they were added. */
  function sharing(traits: Iterable<Trait>): Entry[] {
    return [...new Set([...traits].flatMap((trait) => byTrait.get(trait) ?? []))];
  }
}
