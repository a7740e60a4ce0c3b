// The package has no types.
declare module 'parse-prometheus-text-format' {
  /** A family of metrics; all values are text. */
  export interface Family {
    name: string;
    type: 'COUNTER' | 'GAUGE' | 'HISTOGRAM' | 'SUMMARY' | 'UNTYPED';
    help: string;
    metrics: Array<{ labels?: Record<string, string>; value: string }>;
  }

  export default function parse(text: string): Family[];
}
