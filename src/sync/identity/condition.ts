/** What facts a rule of a table accepts. A fact that it lacks does not matter. */
export type FactCondition<Facts> = { readonly [Fact in keyof Facts]?: ReadonlyArray<Facts[Fact]> };

/** Whether facts meet the condition of a rule. */
export function meets<Facts extends object>(facts: Facts, condition: FactCondition<Facts>): boolean {
  return Object.entries(condition).every(([fact, accepted]) =>
    (accepted as readonly unknown[]).includes(facts[fact as keyof Facts]),
  );
}
