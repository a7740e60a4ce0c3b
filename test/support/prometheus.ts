import { createRequire } from 'node:module';

/** A family of metrics, as the parser tells it; all values are text. */
interface Family {
  name: string;
  type: 'COUNTER' | 'GAUGE' | 'HISTOGRAM' | 'SUMMARY' | 'UNTYPED';
  help: string;
  metrics: Array<{ labels?: Record<string, string>; value?: string; count?: string; buckets?: Record<string, string> }>;
}

// The package brings no types.
const parse: (text: string) => Family[] = createRequire(import.meta.url)('parse-prometheus-text-format');

/** What a scrape found. */
export interface Scrape {
  families: Map<string, Family>;
  /** Sum of the samples that carry these labels, or of histograms the number of observations; undefined: there is none. */
  value(name: string, labels?: Record<string, string>): number | undefined;
}

/** Reads Prometheus' text format as a server of it does. */
export function parseMetrics(text: string): Scrape {
  const families = new Map(parse(text).map((family) => [family.name, family]));
  return {
    families,
    value(name, wanted = {}) {
      const found = (families.get(name)?.metrics ?? []).filter(({ labels = {} }) =>
        Object.entries(wanted).every(([label, value]) => labels[label] === value),
      );
      if (found.length === 0) return undefined;
      return found.reduce(
        (sum, { value, count }) => sum + Number((value ?? count ?? 'NaN').replace('+Inf', 'Infinity')),
        0,
      );
    },
  };
}
