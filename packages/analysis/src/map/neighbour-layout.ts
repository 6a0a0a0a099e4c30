import { createYield } from './event-loop-yield.ts';

/**
 * Nearest neighbors of every point: `k` row numbers and `k` cosines per point, best first. A row
 * number of `count` or more marks a missing neighbor.
 */
export interface Neighbours {
  k: number;
  rows: Uint32Array;
  cosines: Float32Array;
}

/** Effective number of neighbors that attract each point. */
const PERPLEXITY = 12;
const LAYOUT_STEPS = 160;
/**
 * Number of first steps with stronger attraction. Groups form in these steps and are spread later.
 */
const INITIAL_STEPS = 50;
/** Factor of the attraction during the initial steps. */
const INITIAL_ATTRACTION = 6;
const MOMENTUM = { initial: 0.5, later: 0.8 };
/**
 * Spread of the initial positions. It is small, so that they determine the arrangement but not the
 * distances.
 */
const START_SPREAD = 0.01;

/**
 * Moves points on a plane so that neighbors end up close to each other. This is exact t-SNE (van
 * der Maaten and Hinton 2008) over all pairs.
 *
 * It starts from the given positions, without randomness. Equal input therefore gives equal output,
 * and similar input gives similar output. The result is centered and has a spread of 1.
 */
export async function layOutByNeighbours(
  [startX, startY]: readonly [Float64Array, Float64Array],
  neighbours: Neighbours,
): Promise<[Float64Array, Float64Array]> {
  const count = startX.length;
  const spread = spreadOf(startX, startY);
  const x = startX.map((value) => (value * START_SPREAD) / spread);
  const y = startY.map((value) => (value * START_SPREAD) / spread);
  const ties = tiesBetween(neighbours, count);
  const speed = { x: new Float64Array(count), y: new Float64Array(count) };
  const force = { x: new Float64Array(count), y: new Float64Array(count) };
  const yieldIfDue = createYield();
  for (let step = 0; step < LAYOUT_STEPS; step += 1) {
    const isInitial = step < INITIAL_STEPS;
    await pushApart(x, y, force, yieldIfDue);
    pullTogether(x, y, ties, isInitial ? INITIAL_ATTRACTION : 1, force);
    const momentum = isInitial ? MOMENTUM.initial : MOMENTUM.later;
    const rate = Math.max(count / (isInitial ? INITIAL_ATTRACTION : 1) / 4, 4);
    for (let at = 0; at < count; at += 1) {
      speed.x[at] = momentum * (speed.x[at] ?? 0) + rate * (force.x[at] ?? 0);
      speed.y[at] = momentum * (speed.y[at] ?? 0) + rate * (force.y[at] ?? 0);
      x[at] = (x[at] ?? 0) + (speed.x[at] ?? 0);
      y[at] = (y[at] ?? 0) + (speed.y[at] ?? 0);
    }
  }
  return unitSpread(x, y);
}

/**
 * Attraction between points, one array per field: both points and the strength. Each pair is listed
 * once.
 */
interface Ties {
  from: Uint32Array;
  to: Uint32Array;
  strengths: Float64Array;
}

function tiesBetween({ k, rows, cosines }: Neighbours, count: number): Ties {
  const strengths = new Map<number, number>();
  for (let from = 0; from < count; from += 1) {
    const distances: number[] = [];
    const to: number[] = [];
    for (let place = from * k; place < (from + 1) * k; place += 1) {
      const row = rows[place] ?? count;
      if (row >= count) break;
      to.push(row);
      distances.push(1 - (cosines[place] ?? 0));
    }
    for (const [at, share] of sharesOf(distances).entries()) {
      const other = to[at] ?? 0;
      const key = Math.min(from, other) * count + Math.max(from, other);
      strengths.set(key, (strengths.get(key) ?? 0) + share / (2 * count));
    }
  }
  const keys = [...strengths.keys()].sort((a, b) => a - b);
  return {
    from: Uint32Array.from(keys, (key) => Math.floor(key / count)),
    to: Uint32Array.from(keys, (key) => key % count),
    strengths: Float64Array.from(keys, (key) => strengths.get(key) ?? 0),
  };
}

/**
 * Distributes the attraction of a point among its neighbors, in proportion to exp(-β·distance). β
 * is chosen to yield the perplexity.
 */
function sharesOf(distances: readonly number[]): number[] {
  const wanted = Math.log(Math.min(PERPLEXITY, Math.max(1, distances.length / 2)));
  const least = Math.min(...distances);
  let [low, high, beta] = [0, Number.POSITIVE_INFINITY, 10];
  let shares: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    const weights = distances.map((distance) => Math.exp(-beta * (distance - least)));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    shares = weights.map((weight) => weight / sum);
    const entropy = shares.reduce((total, share) => total - (share > 0 ? share * Math.log(share) : 0), 0);
    if (Math.abs(entropy - wanted) < 1e-4) break;
    if (entropy > wanted) low = beta;
    else high = beta;
    beta = high === Number.POSITIVE_INFINITY ? beta * 2 : (low + high) / 2;
  }
  return shares;
}

/** Computes the forces with which all points repel each other. */
async function pushApart(
  x: Float64Array,
  y: Float64Array,
  force: { x: Float64Array; y: Float64Array },
  yieldIfDue: () => Promise<void>,
): Promise<void> {
  const count = x.length;
  force.x.fill(0);
  force.y.fill(0);
  let total = 0;
  for (let at = 0; at < count; at += 1) {
    const [hereX, hereY] = [x[at] ?? 0, y[at] ?? 0];
    let [sumX, sumY] = [0, 0];
    for (let other = at + 1; other < count; other += 1) {
      const dx = hereX - (x[other] ?? 0);
      const dy = hereY - (y[other] ?? 0);
      const near = 1 / (1 + dx * dx + dy * dy);
      total += near;
      const push = near * near;
      sumX += push * dx;
      sumY += push * dy;
      force.x[other] = (force.x[other] ?? 0) - push * dx;
      force.y[other] = (force.y[other] ?? 0) - push * dy;
    }
    force.x[at] = (force.x[at] ?? 0) + sumX;
    force.y[at] = (force.y[at] ?? 0) + sumY;
    if (at % 64 === 0) await yieldIfDue();
  }
  const scale = total > 0 ? 2 / total : 0;
  for (let at = 0; at < count; at += 1) {
    force.x[at] = (force.x[at] ?? 0) * scale;
    force.y[at] = (force.y[at] ?? 0) * scale;
  }
}

/** Adds the forces with which neighbors attract each other. */
function pullTogether(
  x: Float64Array,
  y: Float64Array,
  { from, to, strengths }: Ties,
  attraction: number,
  force: { x: Float64Array; y: Float64Array },
): void {
  for (let at = 0; at < from.length; at += 1) {
    const [one, other] = [from[at] ?? 0, to[at] ?? 0];
    const dx = (x[one] ?? 0) - (x[other] ?? 0);
    const dy = (y[one] ?? 0) - (y[other] ?? 0);
    const pull = (4 * attraction * (strengths[at] ?? 0)) / (1 + dx * dx + dy * dy);
    force.x[one] = (force.x[one] ?? 0) - pull * dx;
    force.y[one] = (force.y[one] ?? 0) - pull * dy;
    force.x[other] = (force.x[other] ?? 0) + pull * dx;
    force.y[other] = (force.y[other] ?? 0) + pull * dy;
  }
}

/**
 * Centers the positions. Scales them so that the root mean square distance from the center is 1.
 */
export function unitSpread(x: Float64Array, y: Float64Array): [Float64Array, Float64Array] {
  const [middleX, middleY] = [meanOf(x), meanOf(y)];
  const centered: [Float64Array, Float64Array] = [
    x.map((value) => value - middleX),
    y.map((value) => value - middleY),
  ];
  const spread = spreadOf(...centered);
  return [centered[0].map((value) => value / spread), centered[1].map((value) => value / spread)];
}

function meanOf(values: Float64Array): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Returns the root mean square distance from the origin. Returns 1 if all points are at the origin.
 */
function spreadOf(x: Float64Array, y: Float64Array): number {
  let squares = 0;
  for (let at = 0; at < x.length; at += 1) squares += (x[at] ?? 0) ** 2 + (y[at] ?? 0) ** 2;
  return squares > 0 ? Math.sqrt(squares / x.length) : 1;
}
