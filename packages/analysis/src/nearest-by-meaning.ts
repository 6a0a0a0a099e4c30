import type { Scale } from './indexed-issue.ts';
import type { IndexedIssues } from './indexed-issues.ts';
import { type NeighbourPool, packVectors } from './neighbours.ts';

/**
 * The nearest issues of one issue, as slots. `least` is an upper bound of the cosine of all other
 * issues.
 */
export interface NearestIssues {
  slots: number[];
  least: number;
}

const NO_ID = 0xffffffff;

/**
 * Finds the issues whose vectors are most similar to the vector of each given slot: `k` from the
 * whole account, and `k` from the same project. Similarity is the cosine after subtracting the
 * center. All other issues have a cosine of at most `least`, which is 0 if no others exist. Slots
 * without a vector have no entry.
 */
export async function nearestByMeaning(options: {
  rows: readonly number[];
  issues: IndexedIssues;
  scale: Scale;
  pool: NeighbourPool;
  dimensions: number;
  k: number;
}): Promise<Map<number, NearestIssues>> {
  const { issues, pool, dimensions, k } = options;
  const slots = issues.slots().filter((slot) => (issues.at(slot)?.reach ?? 0) > 0);
  const rowOf = new Map(slots.map((slot, row) => [slot, row]));
  const wanted = options.rows.filter((slot) => rowOf.has(slot));
  if (wanted.length === 0) return new Map();
  const vectors = packVectors(centered(slots, issues, options.scale, dimensions), dimensions);
  const rows = Uint32Array.from(wanted, (slot) => rowOf.get(slot) ?? 0);
  const groupNumbers = new Map<string, number>();
  const groups = Uint32Array.from(slots, (slot) => {
    const group = issues.at(slot)?.group ?? '';
    const number = groupNumbers.get(group) ?? groupNumbers.size;
    groupNumbers.set(group, number);
    return number;
  });
  const overall = await pool.nearest({ vectors, rows, k });
  const own = groupNumbers.size > 1 ? await pool.nearest({ vectors, rows, k, groups }) : null;
  const near = new Map<number, NearestIssues>();
  for (const [at, slot] of wanted.entries()) {
    const found = new Set<number>();
    const last = collect(overall, at, slots, found);
    if (own !== null) collect(own, at, slots, found);
    near.set(slot, { slots: [...found], least: overall.k < k ? 0 : last });
  }
  return near;
}

/**
 * Adds the slots found for one issue to `found`. Returns the lowest score, or 0 if fewer than `k`
 * were found.
 */
function collect(
  answer: { k: number; ids: Uint32Array; scores: Float32Array },
  at: number,
  slots: readonly number[],
  found: Set<number>,
): number {
  let least = 0;
  for (let place = at * answer.k; place < (at + 1) * answer.k; place += 1) {
    const slot = slots[answer.ids[place] ?? NO_ID];
    if (slot === undefined) return 0;
    found.add(slot);
    least = Math.max(0, answer.scores[place] ?? 0);
  }
  return least;
}

function centered(
  slots: readonly number[],
  issues: IndexedIssues,
  scale: Scale,
  dimensions: number,
): Float32Array[] {
  return slots.map((slot) => {
    const issue = issues.at(slot);
    if (issue === null || issue.vector === null) return new Float32Array(dimensions);
    return issue.vector.map((value, at) => (value - (scale.center[at] ?? 0)) / issue.reach);
  });
}
