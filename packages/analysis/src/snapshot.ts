import { hashTerm } from './term-hash.ts';

/**
 * Statistics of an account that scoring needs: the mean vector, and the number of issues per term.
 * They do not change while the account does, so that the scores of all pairs are comparable.
 * Contains hashes, no words.
 */
export interface Snapshot {
  version: number;
  /** Number of issues. */
  documents: number;
  /** Number of issues that have a vector. */
  vectors: number;
  /** Mean of the vectors, each normalized to length 1. Zeros if no issue has a vector. */
  mean: Float32Array;
  /** Hashes (`hashTerm`) of all terms that occur in two or more issues, in ascending order. */
  terms: Float64Array;
  /** Number of issues per term, in the order of `terms`. */
  frequencies: Uint32Array;
}

/** A term in more than this share of the issues is common and has weight 0. */
const COMMON_TERM_SHARE = 0.2;
/**
 * A common term also occurs in more than this number of issues. In a small backlog, a term may
 * reach the share by chance.
 */
const MIN_COMMON_ISSUES = 20;

/**
 * Number of zero vectors included in the mean. They make the mean small if there are few issues.
 */
const ZERO_VECTORS = 10;

const MAGIC = 0x574e5331;
const HEADER_BYTES = 24;

/**
 * Returns a snapshot without issues. With it, all terms have the same weight, and vectors are
 * compared unchanged.
 */
export function emptySnapshot(dimensions: number): Snapshot {
  return {
    version: 0,
    documents: 0,
    vectors: 0,
    mean: new Float32Array(dimensions),
    terms: new Float64Array(0),
    frequencies: new Uint32Array(0),
  };
}

/**
 * Returns the weight of a term, given its hash. It is 1 + ln((N + 1) / (n + 1)) for a term in n of
 * N issues. A term in no issue counts as n = 1. A term in more than `MIN_COMMON_ISSUES` issues and
 * more than a fifth of all issues has weight 0.
 */
export function weightOfHash(snapshot: Snapshot, hash: number): number {
  const frequency = Math.max(1, snapshot.frequencies[placeOf(snapshot.terms, hash)] ?? 1);
  if (frequency > Math.max(MIN_COMMON_ISSUES, COMMON_TERM_SHARE * snapshot.documents)) return 0;
  return 1 + Math.max(0, Math.log((snapshot.documents + 1) / (frequency + 1)));
}

/** Returns the weight of a term that occurs in no issue of the snapshot. */
export function unseenWeight(snapshot: Snapshot): number {
  return 1 + Math.max(0, Math.log((snapshot.documents + 1) / 2));
}

/** Returns a function that returns the weight of a term, as `explainPair` needs it. */
export function termWeights(snapshot: Snapshot): (term: string) => number {
  return (term) => weightOfHash(snapshot, hashTerm(term));
}

/**
 * Returns the number of issues that contain a term. Returns 1 for a term in no issue, since terms
 * in one issue are not stored.
 */
export function frequencyOf(snapshot: Snapshot, term: string): number {
  return Math.max(1, snapshot.frequencies[placeOf(snapshot.terms, hashTerm(term))] ?? 1);
}

/**
 * Returns the vector to subtract from vectors before comparing them. It is the mean times n / (n +
 * 10), where n is the number of vectors.
 */
export function centerOf(snapshot: Snapshot): Float64Array {
  const share = snapshot.vectors / (snapshot.vectors + ZERO_VECTORS);
  return Float64Array.from(snapshot.mean, (value) => value * share);
}

/** Encodes a snapshot as bytes, which are the same on every machine (little-endian). */
export function encodeSnapshot(snapshot: Snapshot): Uint8Array {
  const { mean, terms, frequencies } = snapshot;
  const bytes = new Uint8Array(HEADER_BYTES + mean.length * 4 + terms.length * 12);
  const view = new DataView(bytes.buffer);
  const header = [MAGIC, snapshot.version, snapshot.documents, snapshot.vectors, mean.length, terms.length];
  let at = 0;
  for (const value of header) {
    view.setUint32(at, value, true);
    at += 4;
  }
  for (const value of mean) {
    view.setFloat32(at, value, true);
    at += 4;
  }
  for (const [index, term] of terms.entries()) {
    view.setFloat64(at, term, true);
    view.setUint32(at + 8, frequencies[index] ?? 0, true);
    at += 12;
  }
  return bytes;
}

/**
 * Decodes the bytes that `encodeSnapshot` returned.
 *
 * @throws {RangeError} if the bytes are not a snapshot or are incomplete
 */
export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new RangeError('These bytes are not a snapshot. Take a new one of the corpus.');
  }
  const [version, documents, vectors, dimensions, terms] = [4, 8, 12, 16, 20].map((at) =>
    view.getUint32(at, true),
  );
  const snapshot: Snapshot = {
    version: version ?? 0,
    documents: documents ?? 0,
    vectors: vectors ?? 0,
    mean: new Float32Array(0),
    terms: new Float64Array(0),
    frequencies: new Uint32Array(0),
  };
  if (bytes.length !== HEADER_BYTES + (dimensions ?? 0) * 4 + (terms ?? 0) * 12) {
    throw new RangeError('This snapshot is truncated. Take a new one of the corpus.');
  }
  const termsFrom = HEADER_BYTES + (dimensions ?? 0) * 4;
  snapshot.mean = Float32Array.from({ length: dimensions ?? 0 }, (_, index) =>
    view.getFloat32(HEADER_BYTES + index * 4, true),
  );
  snapshot.terms = Float64Array.from({ length: terms ?? 0 }, (_, index) =>
    view.getFloat64(termsFrom + index * 12, true),
  );
  snapshot.frequencies = Uint32Array.from({ length: terms ?? 0 }, (_, index) =>
    view.getUint32(termsFrom + index * 12 + 8, true),
  );
  return snapshot;
}

/** Returns the index of a hash in an array of ascending hashes. Returns -1 if it is missing. */
function placeOf(hashes: Float64Array, hash: number): number {
  let [low, high] = [0, hashes.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const there = hashes[middle] ?? 0;
    if (there === hash) return middle;
    if (there < hash) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
