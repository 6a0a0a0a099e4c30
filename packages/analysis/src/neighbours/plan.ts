import type { PackedVectors } from './packed-vectors.ts';

/** A request for the nearest neighbors of vectors. A row is the index of a vector. */
export interface NeighbourRequest {
  readonly vectors: PackedVectors;
  /** Rows whose neighbors are requested; default: all. */
  readonly rows?: Uint32Array;
  /** Number of neighbors per row, 1 or more. */
  readonly k: number;
  /** Group of each row. If given, the neighbors of a row are in the same group. */
  readonly groups?: Uint32Array;
  /** Minimum dot product of a neighbor. */
  readonly floor?: number;
}

/**
 * A search divided into tasks, which any number of threads can process. All arrays are shared
 * memory.
 *
 * `seekers` are the rows for which neighbors are searched; each has a list. `members` are the rows
 * that may be neighbors. A task compares a range of `members` with a range of `seekers`.
 */
export interface SearchPlan {
  readonly vectors: PackedVectors;
  /** Length of each list: the requested k, or less if there are fewer rows. */
  readonly k: number;
  /** Only higher scores enter a list. */
  readonly limit: number;
  readonly members: Uint32Array;
  readonly seekers: Uint32Array;
  /** Tasks, each consisting of {@link taskWidth} numbers. */
  readonly tasks: Uint32Array;
  /** A single number: the index of the next free task. */
  readonly next: Int32Array;
  /** Per list, the highest limit that any thread has reached. Each thread uses it to skip pairs. */
  readonly limits: Int32Array;
  readonly tileRows: number;
  /** Number of pairs to compare. */
  readonly pairs: number;
}

/**
 * Number of integers per task. The first two are start and end of its range in `members`, the next
 * two those of its range in `seekers`. The last is 1 plus the list index of the first member. It is
 * 0 if the members have no lists.
 */
export const taskWidth = 5;

const mostTileRows = 512;
const fewestTileRows = 64;

/**
 * Divides a request into tasks. A block consists of the rows of one group, or of all rows if there
 * are no groups. If at least half of its rows are requested, each pair of the block is computed
 * once for both of its rows.
 *
 * @throws {RangeError} if the request does not match its vectors
 */
export function planSearch(request: NeighbourRequest): SearchPlan {
  checkRequest(request);
  const { vectors, k, floor } = request;
  const blocks = findBlocks(request).filter((block) => block.members.length > 1);
  const longest = blocks.reduce((most, block) => Math.max(most, block.members.length), 1);
  const tileRows = tileRowsFor(longest);
  const members = shareRows(blocks.map((block) => block.members));
  const seekers = shareRows(blocks.map((block) => block.seekers));
  const tasks: number[] = [];
  let pairs = 0;
  let memberStart = 0;
  let seekerStart = 0;
  for (const block of blocks) {
    const areSame = block.seekers === block.members;
    pairs += (block.members.length * block.seekers.length) / (areSame ? 2 : 1);
    for (let member = 0; member < block.members.length; member += tileRows) {
      const memberEnd = Math.min(member + tileRows, block.members.length);
      for (let seeker = areSame ? member : 0; seeker < block.seekers.length; seeker += tileRows) {
        const seekerEnd = Math.min(seeker + tileRows, block.seekers.length);
        tasks.push(memberStart + member, memberStart + memberEnd);
        tasks.push(seekerStart + seeker, seekerStart + seekerEnd);
        tasks.push(areSame ? seekerStart + member + 1 : 0);
      }
    }
    memberStart += block.members.length;
    seekerStart += block.seekers.length;
  }
  const limit = floor === undefined ? -(2 ** 31) : Math.ceil(floor * vectors.scale ** 2) - 1;
  return {
    vectors,
    k: Math.min(k, longest - 1),
    limit: Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, limit)),
    members,
    seekers,
    tasks: shareRows([Uint32Array.from(tasks)]),
    next: new Int32Array(new SharedArrayBuffer(4)),
    limits: new Int32Array(new SharedArrayBuffer(4 * seekers.length)).fill(-(2 ** 31)),
    tileRows,
    pairs,
  };
}

/**
 * `members` are the rows that may be neighbors of each other. `seekers` are the rows of them whose
 * neighbors are searched. Both are in ascending order.
 */
interface Block {
  readonly members: Uint32Array;
  readonly seekers: Uint32Array;
}

function findBlocks(request: NeighbourRequest): Block[] {
  const { vectors, rows, groups } = request;
  const everyRow = new Uint32Array(vectors.count);
  for (let row = 0; row < everyRow.length; row++) everyRow[row] = row;
  const wanted = rows === undefined ? everyRow : distinct(rows);
  if (groups === undefined) return [asBlock(everyRow, wanted)];
  const wantedByGroup = new Map<number, number[]>();
  const membersByGroup = new Map<number, number[]>();
  for (const row of wanted) {
    const group = groups[row] ?? 0;
    const seekers = wantedByGroup.get(group);
    if (seekers !== undefined) seekers.push(row);
    else {
      wantedByGroup.set(group, [row]);
      membersByGroup.set(group, []);
    }
  }
  for (let row = 0; row < vectors.count; row++) membersByGroup.get(groups[row] ?? 0)?.push(row);
  return [...membersByGroup].map(([group, members]) =>
    asBlock(Uint32Array.from(members), Uint32Array.from(wantedByGroup.get(group) ?? [])),
  );
}

function asBlock(members: Uint32Array, wanted: Uint32Array): Block {
  return { members, seekers: 2 * wanted.length >= members.length ? members : wanted };
}

function distinct(rows: Uint32Array): Uint32Array {
  const sorted = rows.toSorted();
  return sorted.filter((row, index) => index === 0 || row !== sorted[index - 1]);
}

/**
 * Returns the number of rows per tile. Large tiles need fewer memory reads. But there must be
 * enough tiles to distribute the work evenly over the threads.
 */
function tileRowsFor(rows: number): number {
  const sixteenth = Math.ceil(rows / 16 / fewestTileRows) * fewestTileRows;
  return Math.max(fewestTileRows, Math.min(mostTileRows, sixteenth));
}

function shareRows(parts: readonly Uint32Array[]): Uint32Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const shared = new Uint32Array(new SharedArrayBuffer(4 * length));
  let offset = 0;
  for (const part of parts) {
    shared.set(part, offset);
    offset += part.length;
  }
  return shared;
}

function checkRequest({ vectors, rows, k, groups, floor }: NeighbourRequest): void {
  const { count, dimensions, data } = vectors;
  if (!Number.isInteger(k) || k < 1) throw new RangeError(`k must be 1 or more: ${k}.`);
  if (data.length < count * dimensions) {
    throw new RangeError(`There are ${data.length} numbers, too few for ${count} vectors of ${dimensions}.`);
  }
  if (groups !== undefined && groups.length < count) {
    throw new RangeError(`There are ${groups.length} groups for ${count} vectors.`);
  }
  const unknown = rows?.find((row) => row >= count);
  if (unknown !== undefined) throw new RangeError(`There is no row ${unknown} among ${count} vectors.`);
  if (Number.isNaN(floor)) throw new RangeError('The floor is not a number.');
}
