import parse, { type Family } from 'parse-prometheus-text-format';

/** The metrics of a scrape. */
export interface Scrape {
  families: Map<string, Family>;
  /** Returns the sum of the samples with these labels; undefined if there are none. */
  value(name: string, labels?: Record<string, string>): number | undefined;
}

/** Parses Prometheus' text format. */
export function parseMetrics(text: string): Scrape {
  const families = new Map(parse(text).map((family) => [family.name, family]));
  // The parser drops the labels of histograms. Without the comment lines, it does not recognise histograms and keeps the labels.
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
