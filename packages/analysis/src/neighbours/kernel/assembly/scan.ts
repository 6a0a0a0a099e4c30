/**
 * Finds exact nearest neighbors by dot product between two tiles of vectors. Written in
 * AssemblyScript.
 *
 * A tile is a block of rows, and each row is a vector of 16-bit numbers. Rows are `rowBytes` apart.
 * This is a multiple of 64, and rows are padded with zeros. Each row also has:
 * - an id (u32)
 * - a limit (i32): only higher scores are considered
 * - its number of neighbors so far (u32)
 * - up to `k` neighbors, best first
 *
 * A neighbor is stored as a u64. The upper half is the score with an inverted sign bit, and the
 * lower half is the complement of the id. A better neighbor is then a larger number. If scores are
 * equal, the lower id is better.
 *
 * The rows of the first tile are processed four at a time, those of the second tile two at a time.
 * Up to three rows after the end of a tile are therefore read. Their results are ignored.
 */

/** Bits of `flags`: which results to store, and whether both tiles are the same. */
const KEEP_FIRST: u32 = 1;
const KEEP_SECOND: u32 = 2;
const SAME_TILE: u32 = 4;

/**
 * Rows of the second tile that are compared with the whole first tile before the next ones. They
 * fit into the innermost cache: 24 KB at 384 dimensions.
 */
const CHUNK: u32 = 32;

let rowBytes: u32 = 0;
let k: u32 = 0;
let flags: u32 = 0;

let firstVectors: usize = 0;
let firstRows: u32 = 0;
let firstIds: usize = 0;
let firstLimits: usize = 0;
let firstSizes: usize = 0;
let firstLists: usize = 0;

let secondVectors: usize = 0;
let secondRows: u32 = 0;
let secondIds: usize = 0;
let secondLimits: usize = 0;
let secondSizes: usize = 0;
let secondLists: usize = 0;

/** Sets the row length and the number of neighbors of a search. */
export function configure(bytesPerRow: u32, neighbours: u32): void {
  rowBytes = bytesPerRow;
  k = neighbours;
}

/** Sets the addresses of the first tile. */
export function first(
  vectors: usize,
  rows: u32,
  ids: usize,
  limits: usize,
  sizes: usize,
  lists: usize,
): void {
  firstVectors = vectors;
  firstRows = rows;
  firstIds = ids;
  firstLimits = limits;
  firstSizes = sizes;
  firstLists = lists;
}

/** Sets the addresses of the second tile. */
export function second(
  vectors: usize,
  rows: u32,
  ids: usize,
  limits: usize,
  sizes: usize,
  lists: usize,
): void {
  secondVectors = vectors;
  secondRows = rows;
  secondIds = ids;
  secondLimits = limits;
  secondSizes = sizes;
  secondLists = lists;
}

/**
 * Compares each row of the first tile with each row of the second tile. Stores the results that
 * `what` selects.
 */
export function scan(what: u32): void {
  flags = what;
  const sameTile = (what & SAME_TILE) !== 0;
  for (let chunk: u32 = 0; chunk < secondRows; chunk += CHUNK) {
    const end = min(chunk + CHUNK, secondRows);
    for (let row: u32 = 0; row < firstRows; row += 4) {
      // If both tiles are the same, each pair is processed only once, from its lower row.
      let column = sameTile ? max(chunk, row) : chunk;
      for (; column + 1 < end; column += 2) fourByTwo(row, column);
      if (column < end) fourByOne(row, column);
    }
  }
}

function fourByTwo(row: u32, column: u32): void {
  let a0 = firstVectors + row * rowBytes;
  let a1 = a0 + rowBytes;
  let a2 = a1 + rowBytes;
  let a3 = a2 + rowBytes;
  let b0 = secondVectors + column * rowBytes;
  let b1 = b0 + rowBytes;
  const stop = b1;
  let s00 = i32x4.splat(0);
  let s10 = i32x4.splat(0);
  let s20 = i32x4.splat(0);
  let s30 = i32x4.splat(0);
  let s01 = i32x4.splat(0);
  let s11 = i32x4.splat(0);
  let s21 = i32x4.splat(0);
  let s31 = i32x4.splat(0);
  while (b0 < stop) {
    let x = v128.load(b0);
    let y = v128.load(b1);
    let r = v128.load(a0);
    s00 = i32x4.add(s00, i32x4.dot_i16x8_s(r, x));
    s01 = i32x4.add(s01, i32x4.dot_i16x8_s(r, y));
    r = v128.load(a1);
    s10 = i32x4.add(s10, i32x4.dot_i16x8_s(r, x));
    s11 = i32x4.add(s11, i32x4.dot_i16x8_s(r, y));
    r = v128.load(a2);
    s20 = i32x4.add(s20, i32x4.dot_i16x8_s(r, x));
    s21 = i32x4.add(s21, i32x4.dot_i16x8_s(r, y));
    r = v128.load(a3);
    s30 = i32x4.add(s30, i32x4.dot_i16x8_s(r, x));
    s31 = i32x4.add(s31, i32x4.dot_i16x8_s(r, y));
    x = v128.load(b0, 16);
    y = v128.load(b1, 16);
    r = v128.load(a0, 16);
    s00 = i32x4.add(s00, i32x4.dot_i16x8_s(r, x));
    s01 = i32x4.add(s01, i32x4.dot_i16x8_s(r, y));
    r = v128.load(a1, 16);
    s10 = i32x4.add(s10, i32x4.dot_i16x8_s(r, x));
    s11 = i32x4.add(s11, i32x4.dot_i16x8_s(r, y));
    r = v128.load(a2, 16);
    s20 = i32x4.add(s20, i32x4.dot_i16x8_s(r, x));
    s21 = i32x4.add(s21, i32x4.dot_i16x8_s(r, y));
    r = v128.load(a3, 16);
    s30 = i32x4.add(s30, i32x4.dot_i16x8_s(r, x));
    s31 = i32x4.add(s31, i32x4.dot_i16x8_s(r, y));
    a0 += 32;
    a1 += 32;
    a2 += 32;
    a3 += 32;
    b0 += 32;
    b1 += 32;
  }
  const left = sums(s00, s10, s20, s30);
  const right = sums(s01, s11, s21, s31);
  const limits = v128.load(firstLimits + row * 4);
  const limitsAt = secondLimits + column * 4;
  const passed = v128.or(
    v128.or(i32x4.gt_s(left, limits), i32x4.gt_s(right, limits)),
    v128.or(
      i32x4.gt_s(left, v128.load32_splat(limitsAt)),
      i32x4.gt_s(right, v128.load32_splat(limitsAt + 4)),
    ),
  );
  if (v128.any_true(passed)) {
    keepFour(row, column, left);
    keepFour(row, column + 1, right);
  }
}

function fourByOne(row: u32, column: u32): void {
  let a0 = firstVectors + row * rowBytes;
  let a1 = a0 + rowBytes;
  let a2 = a1 + rowBytes;
  let a3 = a2 + rowBytes;
  let b0 = secondVectors + column * rowBytes;
  const stop = b0 + rowBytes;
  let s0 = i32x4.splat(0);
  let s1 = i32x4.splat(0);
  let s2 = i32x4.splat(0);
  let s3 = i32x4.splat(0);
  while (b0 < stop) {
    let x = v128.load(b0);
    s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.load(a0), x));
    s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v128.load(a1), x));
    s2 = i32x4.add(s2, i32x4.dot_i16x8_s(v128.load(a2), x));
    s3 = i32x4.add(s3, i32x4.dot_i16x8_s(v128.load(a3), x));
    x = v128.load(b0, 16);
    s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.load(a0, 16), x));
    s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v128.load(a1, 16), x));
    s2 = i32x4.add(s2, i32x4.dot_i16x8_s(v128.load(a2, 16), x));
    s3 = i32x4.add(s3, i32x4.dot_i16x8_s(v128.load(a3, 16), x));
    a0 += 32;
    a1 += 32;
    a2 += 32;
    a3 += 32;
    b0 += 32;
  }
  const all = sums(s0, s1, s2, s3);
  const passed = v128.or(
    i32x4.gt_s(all, v128.load(firstLimits + row * 4)),
    i32x4.gt_s(all, v128.load32_splat(secondLimits + column * 4)),
  );
  if (v128.any_true(passed)) keepFour(row, column, all);
}

/** Adds up the four lanes of each vector. Returns the four sums as one vector. */
function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(i32x4.shuffle(c, d, 0, 4, 1, 5), i32x4.shuffle(c, d, 2, 6, 3, 7));
  return i32x4.add(i32x4.shuffle(ab, cd, 0, 1, 4, 5), i32x4.shuffle(ab, cd, 2, 3, 6, 7));
}

function keepFour(row: u32, column: u32, scores: v128): void {
  keep(row, column, i32x4.extract_lane(scores, 0));
  keep(row + 1, column, i32x4.extract_lane(scores, 1));
  keep(row + 2, column, i32x4.extract_lane(scores, 2));
  keep(row + 3, column, i32x4.extract_lane(scores, 3));
}

/**
 * Stores the score of a pair in the neighbor lists of its two rows, if requested and high enough.
 */
function keep(row: u32, column: u32, score: i32): void {
  if (row >= firstRows || column >= secondRows) return;
  if ((flags & SAME_TILE) !== 0 && column <= row) return;
  const id = load<u32>(firstIds + row * 4);
  const other = load<u32>(secondIds + column * 4);
  if (id === other) return;
  if ((flags & KEEP_FIRST) !== 0) enter(score, other, row, firstLimits, firstSizes, firstLists);
  if ((flags & KEEP_SECOND) !== 0) enter(score, id, column, secondLimits, secondSizes, secondLists);
}

function enter(score: i32, id: u32, row: u32, limits: usize, sizes: usize, lists: usize): void {
  const limitAt = limits + row * 4;
  if (score <= load<i32>(limitAt)) return;
  const list = lists + row * k * 8;
  const sizeAt = sizes + row * 4;
  const size = load<u32>(sizeAt);
  const entry = (u64((score as u32) ^ 0x80000000) << 32) | u64(~id);
  let place = size;
  if (size === k) {
    place = k - 1;
    if (entry <= load<u64>(list + place * 8)) return;
  } else {
    store<u32>(sizeAt, size + 1);
  }
  while (place > 0) {
    const better = load<u64>(list + (place - 1) * 8);
    if (better > entry) break;
    store<u64>(list + place * 8, better);
    place--;
  }
  store<u64>(list + place * 8, entry);
  // A full list accepts only scores at least as high as its last one. A score equal to the last one
  // may still enter with a lower id.
  if (size + 1 >= k) {
    const last = ((load<u64>(list + (k - 1) * 8) >> 32) as u32) ^ 0x80000000;
    const limit = (last as i32) - 1;
    if (limit > load<i32>(limitAt)) store<i32>(limitAt, limit);
  }
}

/**
 * Computes the dot products of one row of 16-bit numbers with each of `count` rows of 8-bit
 * numbers. Writes each product as i32 to `products`. The `count` rows are consecutive and have
 * `width` numbers each. `width` is a multiple of 16, and rows are padded with zeros.
 */
export function dotAll(one: usize, rows: usize, count: u32, width: u32, products: usize): void {
  const rowsEnd = rows + <usize>count * width;
  let row = rows;
  let product = products;
  while (row < rowsEnd) {
    const stop = row + width;
    let at = one;
    let low = i32x4.splat(0);
    let high = i32x4.splat(0);
    while (row < stop) {
      const numbers = v128.load(row);
      low = i32x4.add(low, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(numbers), v128.load(at)));
      high = i32x4.add(high, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(numbers), v128.load(at, 16)));
      row += 16;
      at += 32;
    }
    const sums = i32x4.add(low, high);
    const halves = i32x4.add(
      sums,
      i8x16.shuffle(sums, sums, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7),
    );
    store<i32>(product, i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1));
    product += 4;
  }
}
