export interface Point {
  x: number;
  y: number;
}

/** How much y grows from the first point to the last, by the line that fits best (least squares). */
export function fittedGrowth(points: readonly Point[]): number {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first.x === last.x) return 0;
  const x = meanOf(points.map((point) => point.x));
  const y = meanOf(points.map((point) => point.y));
  const covariance = meanOf(points.map((point) => (point.x - x) * (point.y - y)));
  const variance = meanOf(points.map((point) => (point.x - x) ** 2));
  return (covariance / variance) * (last.x - first.x);
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
