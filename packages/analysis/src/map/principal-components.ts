import { createYield } from './event-loop-yield.ts';

/**
 * Number of rounds of orthogonal iteration. They find two dominant directions. If no direction is
 * dominant, the result is still deterministic.
 */
const ITERATION_ROUNDS = 30;

/**
 * Projects points onto their first two principal components. Returns the arrays `[x, y]`, centered
 * at 0.
 *
 * Deterministic for the same points in the same order. Each axis points to the side with the longer
 * tail, so that a few new points do not mirror the map. Yields to other work.
 */
export async function principalPlane(points: readonly Float32Array[]): Promise<[Float64Array, Float64Array]> {
  const yieldIfDue = createYield();
  const dimensions = points[0]?.length ?? 0;
  const mean = meanOf(points, dimensions);
  let first = startingDirection(dimensions, 1);
  let second = startingDirection(dimensions, 2);
  for (let round = 0; round < ITERATION_ROUNDS; round += 1) {
    first = normalized(multiplied(points, mean, first));
    await yieldIfDue();
    second = normalized(withoutPart(multiplied(points, mean, second), first));
    await yieldIfDue();
  }
  return [along(points, mean, first), along(points, mean, second)];
}

function meanOf(points: readonly Float32Array[], dimensions: number): Float64Array {
  const mean = new Float64Array(dimensions);
  for (const point of points) {
    for (let at = 0; at < dimensions; at += 1) mean[at] = (mean[at] ?? 0) + (point[at] ?? 0) / points.length;
  }
  return mean;
}

/**
 * Returns a deterministic direction. It is very unlikely to be orthogonal to a dominant direction.
 */
function startingDirection(dimensions: number, seed: number): Float64Array {
  let state = seed;
  return Float64Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000 - 0.5;
  });
}

/**
 * Multiplies the covariance matrix of the points by a direction. The result lacks a constant
 * factor.
 */
function multiplied(
  points: readonly Float32Array[],
  mean: Float64Array,
  direction: Float64Array,
): Float64Array {
  const product = new Float64Array(direction.length);
  for (const point of points) {
    let place = 0;
    for (let at = 0; at < direction.length; at += 1) {
      place += ((point[at] ?? 0) - (mean[at] ?? 0)) * (direction[at] ?? 0);
    }
    for (let at = 0; at < direction.length; at += 1) {
      product[at] = (product[at] ?? 0) + place * ((point[at] ?? 0) - (mean[at] ?? 0));
    }
  }
  return product;
}

function withoutPart(vector: Float64Array, direction: Float64Array): Float64Array {
  let part = 0;
  for (let at = 0; at < vector.length; at += 1) part += (vector[at] ?? 0) * (direction[at] ?? 0);
  return vector.map((value, at) => value - part * (direction[at] ?? 0));
}

/** Scales a vector to length 1. A zero vector stays zero. */
function normalized(vector: Float64Array): Float64Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 1e-12 ? vector.map((value) => value / length) : vector.fill(0);
}

function along(points: readonly Float32Array[], mean: Float64Array, direction: Float64Array): Float64Array {
  const places = Float64Array.from(points, (point) => {
    let place = 0;
    for (let at = 0; at < direction.length; at += 1) {
      place += ((point[at] ?? 0) - (mean[at] ?? 0)) * (direction[at] ?? 0);
    }
    return place;
  });
  const skew = places.reduce((sum, place) => sum + place ** 3, 0);
  return skew < 0 ? places.map((place) => -place) : places;
}
