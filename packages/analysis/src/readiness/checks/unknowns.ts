import { type CheckResult, clampScore, evidenceOf, substanceOf } from '../criterion-score.ts';
import type { Reading } from '../read-issue.ts';
import { isAdjusting } from './depth.ts';
import { openPoints } from './open-points.ts';

/** Checks that no question is open before the work begins. */
export function unknownsOf(reading: Reading): CheckResult {
  const points = openPoints(reading);
  const substance = isAdjusting(reading) ? 1 : substanceOf(reading);
  const score = clampScore((0.2 + 0.8 * substance) * Math.max(0, 1 - 0.25 * points.length));
  const [point] = points;
  if (point !== undefined) {
    const note = points.length === 1 ? 'One point is open.' : `${points.length} points are open.`;
    return { score, note, evidence: evidenceOf(points), fix: 'What are the answers to the open points?' };
  }
  if (score < 1) {
    const note = 'Nothing is marked as open, but the text is short.';
    return { score, note, evidence: [], fix: 'What else must be known before work can start?' };
  }
  return { score, note: 'Nothing is open.', evidence: [], fix: null };
}
