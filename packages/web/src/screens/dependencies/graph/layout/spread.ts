import type { Entry } from './layout.ts';

/** Number of passes over all columns, alternately from left to right and from right to left. */
const PASS_COUNT = 4;

type Tops = Map<string, number>;

function neighborsOf(links: readonly (readonly [string, string])[]): Map<string, string[]> {
  const neighbors = new Map<string, string[]>();
  const add = (one: string, other: string) => {
    const known = neighbors.get(one);
    if (known === undefined) neighbors.set(one, [other]);
    else known.push(other);
  };
  for (const [one, other] of links) {
    add(one, other);
    add(other, one);
  }
  return neighbors;
}

/**
 * Places the entries of a column in order, at least `gap` apart, near their preferred positions.
 * Entries that would overlap form a block, which is placed at the average of their preferred
 * positions.
 */
function settle(column: readonly Entry[], preferred: readonly number[], gap: number): number[] {
  // A block is a run of entries without free space between them. Its top is at `sum / count`.
  const blocks: { first: number; count: number; size: number; sum: number }[] = [];
  const topOf = ({ sum, count }: { sum: number; count: number }) => sum / count;
  for (const [index, { height }] of column.entries()) {
    let block = { first: index, count: 1, size: height + gap, sum: preferred[index] ?? 0 };
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      if (topOf(last) + last.size <= topOf(block)) break;
      blocks.pop();
      block = {
        first: last.first,
        count: last.count + block.count,
        size: last.size + block.size,
        // Each preferred position becomes the position that the top of the whole block would then
        // have.
        sum: last.sum + block.sum - block.count * last.size,
      };
    }
    blocks.push(block);
  }
  const tops: number[] = [];
  for (const block of blocks) {
    let top = topOf(block);
    for (const { height } of column.slice(block.first, block.first + block.count)) {
      tops.push(top);
      top += height + gap;
    }
  }
  return tops;
}

/**
 * Computes the top of each entry, starting at 0 for the highest. Entries keep their order and are
 * at least `gap` apart. Linked entries are placed at similar heights, so that chains are straight.
 */
export function spreadColumns(
  columns: readonly (readonly Entry[])[],
  links: readonly (readonly [string, string])[],
  gap: number,
): { tops: Tops; height: number } {
  const tops: Tops = new Map();
  const heights = new Map(columns.flat().map(({ name, height }) => [name, height]));
  for (const column of columns) {
    let top = 0;
    for (const { name, height } of column) {
      tops.set(name, top);
      top += height + gap;
    }
  }
  const neighbors = neighborsOf(links);
  const middleOf = (name: string) => (tops.get(name) ?? 0) + (heights.get(name) ?? 0) / 2;
  for (let pass = 0; pass < PASS_COUNT; pass += 1) {
    for (const column of pass % 2 === 0 ? columns : columns.toReversed()) {
      const preferred = column.map(({ name, height }) => {
        const linked = neighbors.get(name) ?? [];
        if (linked.length === 0) return tops.get(name) ?? 0;
        return linked.reduce((sum, other) => sum + middleOf(other), 0) / linked.length - height / 2;
      });
      const settled = settle(column, preferred, gap);
      for (const [index, { name }] of column.entries()) tops.set(name, settled[index] ?? 0);
    }
  }
  const shift = [...tops.values()].reduce((least, top) => Math.min(least, top), Number.POSITIVE_INFINITY);
  let height = 0;
  for (const [name, top] of tops) {
    tops.set(name, top - shift);
    height = Math.max(height, top - shift + (heights.get(name) ?? 0));
  }
  return { tops, height };
}
