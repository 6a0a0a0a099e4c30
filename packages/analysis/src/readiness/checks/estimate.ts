import { evidenceOf, joinWords } from '../criterion-score.ts';
import type { Reading } from '../read-issue.ts';
import type { Statement } from '../statement.ts';
import type { Estimate, Evidence } from '../types.ts';
import { amountOf, breadthOf } from './complexity.ts';
import { depthOf } from './depth.ts';
import { outsideOf } from './risk.ts';
import { unknownsOf } from './unknowns.ts';

const LABELED_POINTS = /(?<![\p{L}\p{N}])(?:story ?points?|points?|sp)\s?[:=]\s?(\d{1,2})(?![\d.])/iu;
/** Matches a number of points. From a range, captures the larger number. */
const COUNTED_POINTS = /(?:\d{1,2} ?(?:to|or|-|–) ?)?(?<![\d.])(\d{1,2}) ?(?:(story )?points?|sp)(?!\p{L})/iu;
const STORY_POINT_SCALE = [1, 2, 3, 5, 8, 13] as const;
/** Minimum scores and the story points of the estimate. A high score means little work. */
const POINTS_BY_MIN_SCORE: readonly [number, Estimate['points']][] = [
  [0.93, 1],
  [0.86, 2],
  [0.78, 3],
  [0.64, 5],
  [0.48, 8],
];

/** Estimates the work. Returns the estimate, its evidence, and reasons why the work is large. */
export function estimateOf(reading: Reading): {
  estimate: Estimate;
  evidence: Evidence[];
  drivers: string[];
} {
  const stated = statedPoints(reading);
  if (stated !== null) return { ...stated, drivers: [] };
  const parts = [
    { name: 'it asks for a lot', weight: 0.3, found: amountOf(reading) },
    { name: 'several parts of the product are touched', weight: 0.25, found: breadthOf(reading) },
    { name: 'the change is deep', weight: 0.2, found: depthOf(reading) },
    { name: 'there are unknowns', weight: 0.15, found: unknownsOf(reading) },
    { name: 'others are involved', weight: 0.1, found: outsideOf(reading) },
  ];
  const total = parts.reduce((sum, { weight, found }) => sum + weight * found.score, 0);
  const points = POINTS_BY_MIN_SCORE.find(([from]) => total >= from)?.[1] ?? 13;
  const low = parts
    .filter(({ found }) => found.score < 0.7)
    .toSorted((a, b) => b.weight * (1 - b.found.score) - a.weight * (1 - a.found.score))
    .slice(0, 2);
  const drivers = low.map(({ name }) => name);
  const reason = drivers.length === 0 ? 'A small change in one place.' : `${sentence(joinWords(drivers))}.`;
  return {
    estimate: { points, reason },
    evidence: evidenceOf(low.flatMap(({ found }) => found.evidence)),
    drivers,
  };
}

/** Returns the estimate stated in the issue, rounded to the scale of story points. */
function statedPoints({ all }: Reading): { estimate: Estimate; evidence: Evidence[] } | null {
  for (const statement of all) {
    const statedNumber = pointsIn(statement);
    if (statedNumber === null) continue;
    const points = STORY_POINT_SCALE.reduce((a, b) =>
      Math.abs(b - statedNumber) < Math.abs(a - statedNumber) ? b : a,
    );
    return { estimate: { points, reason: 'Stated in the issue.' }, evidence: evidenceOf([statement]) };
  }
  return null;
}

function pointsIn({ text, topic }: Statement): number | null {
  const named = LABELED_POINTS.exec(text)?.[1];
  const counted = COUNTED_POINTS.exec(text);
  const isSize = topic === 'size' || counted?.index === 0 || counted?.[2] !== undefined;
  if (named !== undefined) return Number(named);
  return counted?.[1] !== undefined && isSize ? Number(counted[1]) : null;
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
