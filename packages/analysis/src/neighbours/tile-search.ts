import {
  type Kernel,
  type KernelModule,
  kernelSpareRows,
  kernelStep,
  scanFlags,
  startKernel,
} from './kernel.ts';
import { type SearchPlan, taskWidth } from './plan.ts';

/**
 * One of the two tiles in the kernel's memory: its addresses, and the range of rows that it
 * contains.
 */
interface Tile {
  readonly vectors: number;
  readonly ids: number;
  start: number;
  end: number;
}

const nothingPasses = 2 ** 31 - 1;

/** The neighbors that one thread found for each seeker. */
export interface FoundLists {
  /** Number of neighbors in each list. */
  readonly sizes: Uint32Array<ArrayBuffer>;
  /**
   * Lists of `k` entries, best first. Each entry has two numbers: the complement of the row number,
   * and the score with an inverted sign bit.
   */
  readonly entries: Uint32Array<ArrayBuffer>;
}

/**
 * The part of a search that one thread performs. Takes tasks from the plan until none is left. Has
 * its own lists of neighbors.
 */
export class TileSearch {
  readonly #plan: SearchPlan;
  readonly #kernel: Kernel;
  readonly #rowLength: number;
  readonly #first: Tile;
  readonly #second: Tile;
  readonly #closed: number;
  readonly #limits: number;
  readonly #sizes: number;
  readonly #lists: number;
  readonly #shorts: Int16Array;
  readonly #integers: Int32Array;
  #used = 0;

  /** Allocates tiles and lists in the memory of a new kernel instance. */
  constructor(plan: SearchPlan, module: KernelModule) {
    const lists = plan.seekers.length;
    this.#plan = plan;
    this.#rowLength = Math.ceil(plan.vectors.dimensions / kernelStep) * kernelStep;
    this.#first = this.#reserveTile();
    this.#second = this.#reserveTile();
    this.#closed = this.#reserve(4 * (plan.tileRows + kernelSpareRows));
    this.#limits = this.#reserve(4 * (lists + kernelSpareRows));
    this.#sizes = this.#reserve(4 * lists);
    this.#lists = this.#reserve(8 * lists * plan.k);

    this.#kernel = startKernel(module, this.#used);
    this.#shorts = new Int16Array(this.#kernel.memory.buffer);
    this.#integers = new Int32Array(this.#kernel.memory.buffer);
    this.#fill(this.#closed, plan.tileRows + kernelSpareRows, nothingPasses);
    this.#fill(this.#limits, lists + kernelSpareRows, plan.limit);
    this.#kernel.configure(2 * this.#rowLength, plan.k);
  }

  /** Processes one task. Returns false if no task was left. */
  work(): boolean {
    const { tasks, next } = this.#plan;
    const at = taskWidth * Atomics.add(next, 0, 1);
    if (at >= tasks.length) return false;
    const [memberStart = 0, memberEnd = 0, seekerStart = 0, seekerEnd = 0, list = 0] = tasks.subarray(
      at,
      at + taskWidth,
    );
    const isDiagonal = list - 1 === seekerStart;
    this.#load(this.#first, this.#plan.members, memberStart, memberEnd);
    if (!isDiagonal) this.#load(this.#second, this.#plan.seekers, seekerStart, seekerEnd);

    const { first, second, scan } = this.#kernel;
    const firstTile = this.#first;
    const secondTile = isDiagonal ? this.#first : this.#second;
    const memberRows = memberEnd - memberStart;
    const seekerRows = seekerEnd - seekerStart;
    if (list > 0) {
      this.#learn(list - 1, memberRows);
      first(firstTile.vectors, memberRows, firstTile.ids, ...this.#listsFrom(list - 1));
    } else {
      first(firstTile.vectors, memberRows, firstTile.ids, this.#closed, 0, 0);
    }
    this.#learn(seekerStart, seekerRows);
    second(secondTile.vectors, seekerRows, secondTile.ids, ...this.#listsFrom(seekerStart));
    const { keepFirst, keepSecond, sameTile } = scanFlags;
    scan(keepSecond | (list > 0 ? keepFirst : 0) | (isDiagonal ? sameTile : 0));
    this.#teach(seekerStart, seekerRows);
    if (list > 0) this.#teach(list - 1, memberRows);
    return true;
  }

  /** Returns a copy of the neighbors found so far. */
  lists(): FoundLists {
    const { seekers, k } = this.#plan;
    const { buffer } = this.#kernel.memory;
    return {
      sizes: new Uint32Array(buffer, this.#sizes, seekers.length).slice(),
      entries: new Uint32Array(buffer, this.#lists, 2 * seekers.length * k).slice(),
    };
  }

  #listsFrom(list: number): [number, number, number] {
    return [this.#limits + 4 * list, this.#sizes + 4 * list, this.#lists + 8 * list * this.#plan.k];
  }

  /** Copies rows into a tile. If they are consecutive and need no padding, uses a single copy. */
  #load(tile: Tile, rows: Uint32Array, start: number, end: number): void {
    if (tile.start === start && tile.end === end) return;
    const { data, dimensions } = this.#plan.vectors;
    const to = tile.vectors / 2;
    const ids = tile.ids / 4;
    const firstRow = rows[start] ?? 0;
    const isRun = (rows[end - 1] ?? 0) - firstRow === end - 1 - start;
    if (isRun && dimensions === this.#rowLength) {
      this.#shorts.set(data.subarray(firstRow * dimensions, (firstRow + end - start) * dimensions), to);
    } else {
      for (let index = start; index < end; index++) {
        const row = rows[index] ?? 0;
        const place = to + (index - start) * this.#rowLength;
        this.#shorts.set(data.subarray(row * dimensions, (row + 1) * dimensions), place);
      }
    }
    for (let index = start; index < end; index++) this.#integers[ids + index - start] = rows[index] ?? 0;
    tile.start = start;
    tile.end = end;
  }

  /**
   * Updates the kernel's limits. The limit of a list is the score below which pairs are skipped.
   * Other threads may have raised it.
   */
  #learn(list: number, rows: number): void {
    const limits = this.#limits / 4;
    for (let index = list; index < list + rows; index++) {
      const known = Atomics.load(this.#plan.limits, index);
      if (known > (this.#integers[limits + index] ?? 0)) this.#integers[limits + index] = known;
    }
  }

  /**
   * Publishes raised limits to other threads. If two threads write the same limit at once, the
   * lower value may remain. The result is correct with each of them.
   */
  #teach(list: number, rows: number): void {
    const limits = this.#limits / 4;
    for (let index = list; index < list + rows; index++) {
      const own = this.#integers[limits + index] ?? 0;
      if (own > Atomics.load(this.#plan.limits, index)) Atomics.store(this.#plan.limits, index, own);
    }
  }

  #reserveTile(): Tile {
    const rows = this.#plan.tileRows;
    const vectors = this.#reserve(2 * this.#rowLength * (rows + kernelSpareRows));
    return { vectors, ids: this.#reserve(4 * rows), start: 0, end: 0 };
  }

  /** Allocates bytes, aligned to a cache line. Returns their address. */
  #reserve(bytes: number): number {
    const address = this.#used;
    this.#used = Math.ceil((address + bytes) / 64) * 64;
    return address;
  }

  #fill(address: number, count: number, value: number): void {
    this.#integers.fill(value, address / 4, address / 4 + count);
  }
}
