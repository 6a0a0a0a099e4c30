import { hashTerm } from './term-hash.ts';

/**
 * What scoring takes from an account as a whole, frozen so that every pair of one version was scored alike: the mean of
 * its vectors, and in how many issues each term occurs. Holds hashes, no words.
 */
export interface Snapshot {
  version: number;
  /** How many issues it was taken of. */
  documents: number;
  /** How many of them had a vector. */
  vectors: number;
  /** The mean of those vectors, each of length 1; zeros when there were none. */
  mean: Float32Array;
  /** `hashTerm` of every term that occurs in two or more of the issues, ascending. */
  terms: Float64Array;
  /** In how many issues each of them occurs. */
  frequencies: Uint32Array;
}

/** A term in more than this share of the issues tells nothing about any of them. */
const COMMON_SHARE = 0.2;
/** Yet in a small backlog a share is soon reached by chance. */
const COMMON_AT_LEAST = 20;

/** Mean vectors of few issues are drawn to zero by as many imagined ones. */
const IMAGINED_VECTORS = 10;

const MAGIC = 0x574e5331;
const HEADER_BYTES = 24;

/** The snapshot of nothing: every term weighs the same and vectors are compared as they are. */
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
 * The weight of a term under a snapshot, by `hashTerm`: 1 + ln((N + 1) / (n + 1)) for a term in n of N issues, where one
 * never seen counts as seen once; 0 for a term in more than a fifth of the issues.
 */
export function weightOfHash(snapshot: Snapshot, hash: number): number {
  const frequency = Math.max(1, snapshot.frequencies[placeOf(snapshot.terms, hash)] ?? 1);
  if (frequency > Math.max(COMMON_AT_LEAST, COMMON_SHARE * snapshot.documents)) return 0;
  return 1 + Math.max(0, Math.log((snapshot.documents + 1) / (frequency + 1)));
}

/** The weight of a term that no issue of the snapshot has. */
export function unseenWeight(snapshot: Snapshot): number {
  return 1 + Math.max(0, Math.log((snapshot.documents + 1) / 2));
}

/** The same for a term as `tokenize` gives it, in the form that `explainPair` takes. */
export function termWeights(snapshot: Snapshot): (term: string) => number {
  return (term) => weightOfHash(snapshot, hashTerm(term));
}

/** In how many issues of a snapshot a term occurs, as `tokenize` gives it; 1 for one that occurs once or never. */
export function frequencyOf(snapshot: Snapshot, term: string): number {
  return Math.max(1, snapshot.frequencies[placeOf(snapshot.terms, hashTerm(term))] ?? 1);
}

/** What is taken off a vector before vectors are compared: N / (N + 10) of the mean. */
export function centerOf(snapshot: Snapshot): Float64Array {
  const share = snapshot.vectors / (snapshot.vectors + IMAGINED_VECTORS);
  return Float64Array.from(snapshot.mean, (value) => value * share);
}

/** The snapshot as bytes, little-endian, the same on every machine. */
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
 * Reads what `encodeSnapshot` wrote.
 * @throws {RangeError} when the bytes are something else or are cut short.
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
    throw new RangeError('This snapshot is cut short. Take a new one of the corpus.');
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

/** The index of a hash among ascending hashes, or -1. */
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
