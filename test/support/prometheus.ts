import parse, { type Family } from 'parse-prometheus-text-format';

/** What a scrape found. */
export interface Scrape {
  families: Map<string, Family>;
  /** Sum of the samples that carry these labels; undefined: there is none. */
  value(name: string, labels?: Record<string, string>): number | undefined;
}

/** Reads Prometheus' text format as a server of it does. */
export function parseMetrics(text: string): Scrape {
  const families = new Map(parse(text).map((family) => [family.name, family]));
  // The parser forgets the labels of histograms; but not where it does not know that they are some.
  const samples = Map.groupBy(parse(text.replace(/^# .*$/gm, '')), (family) => family.name);
  return {
    families,
    value(name, wanted = {}) {
      const found = (samples.get(name) ?? [])
        .flatMap(({ metrics }) => metrics)
        .filter(({ labels = {} }) => Object.entries(wanted).every(([label, value]) => labels[label] === value));
      if (found.length === 0) return undefined;
      return found.reduce((sum, { value }) => sum + (value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value)), 0);
    },
  };
}
