/**
 * Spare entries per list. After the removal of a few issues, the list is complete without a new
 * search.
 */
const SPARE_ENTRIES = 8;

/** Marks a list as unknown: a new search must fill it. */
const UNKNOWN_SIZE = 0xffff;

/**
 * For each issue, the most similar other issues whose score is at least `floor`. Issues are
 * numbered by slots.
 *
 * Lists stay exact while single issues are added, changed and removed. Equal scores are ordered by
 * name. A list is known after `begin` and one `offer` per candidate. It becomes unknown when too
 * many entries were dropped. Typed arrays store an entry in twelve bytes.
 */
export class BestLists {
  /** Maximum entries per list, including spare entries. */
  readonly room: number;
  readonly #most: number;
  readonly #floor: number;
  readonly #nameOf: (slot: number) => string;
  #slots = new Uint32Array(0);
  #scores = new Float64Array(0);
  #counts = new Uint16Array(0);
  /**
   * Per slot, the highest score that did not fit into its list. All better entries are in the list.
   * NaN if every entry fitted.
   */
  #cutScores = new Float64Array(0);
  readonly #cutNames: string[] = [];

  constructor(most: number, floor: number, nameOf: (slot: number) => string) {
    this.#most = most;
    this.room = most + SPARE_ENTRIES;
    this.#floor = floor;
    this.#nameOf = nameOf;
  }

  /** Empties the list of a slot. */
  begin(slot: number): void {
    this.#reserve(slot);
    this.#counts[slot] = 0;
    this.#cutScores[slot] = Number.NaN;
  }

  /** Marks the list of a slot as unknown. */
  forget(slot: number): void {
    if (slot < this.#counts.length) this.#counts[slot] = UNKNOWN_SIZE;
  }

  /** True if the best entries of this slot are known. */
  knows(slot: number): boolean {
    const count = this.#counts[slot] ?? UNKNOWN_SIZE;
    return count !== UNKNOWN_SIZE && (count >= this.#most || Number.isNaN(this.#cutScores[slot]));
  }

  /** Returns the minimum score of a new entry in the list of this slot. */
  entryScore(slot: number): number {
    const cut = this.#cutScores[slot] ?? Number.NaN;
    return Number.isNaN(cut) ? this.#floor : cut;
  }

  /**
   * Inserts another slot into the list of `slot` if its score is high enough. The list must not
   * contain it.
   */
  offer(slot: number, other: number, score: number): void {
    const count = this.#counts[slot] ?? UNKNOWN_SIZE;
    if (count === UNKNOWN_SIZE || score < this.#floor || this.#most === 0) return;
    const name = this.#nameOf(other);
    const cut = this.#cutScores[slot] ?? Number.NaN;
    if (score < cut || (score === cut && name >= (this.#cutNames[slot] ?? ''))) return;
    const from = slot * this.room;
    let at = from + count;
    while (at > from && this.#ranksAfter(at - 1, score, name)) at -= 1;
    if (count < this.room) {
      this.#slots.copyWithin(at + 1, at, from + count);
      this.#scores.copyWithin(at + 1, at, from + count);
      this.#counts[slot] = count + 1;
    } else if (at === from + count) {
      this.#cutAt(slot, score, name);
      return;
    } else {
      const last = from + count - 1;
      this.#cutAt(slot, this.#scores[last] ?? 0, this.#nameOf(this.#slots[last] ?? 0));
      this.#slots.copyWithin(at + 1, at, last);
      this.#scores.copyWithin(at + 1, at, last);
    }
    this.#slots[at] = other;
    this.#scores[at] = score;
  }

  /**
   * Removes the marked slots from every list, and marks their own lists as unknown. `marked` holds
   * 1 for each slot to remove, else 0.
   */
  drop(marked: Uint8Array): void {
    for (let slot = 0; slot < this.#counts.length; slot += 1) {
      const count = this.#counts[slot] ?? UNKNOWN_SIZE;
      if (count === UNKNOWN_SIZE) continue;
      if (marked[slot] === 1) {
        this.#counts[slot] = UNKNOWN_SIZE;
        continue;
      }
      const from = slot * this.room;
      let kept = from;
      for (let at = from; at < from + count; at += 1) {
        const other = this.#slots[at] ?? 0;
        if (marked[other] === 1) continue;
        this.#slots[kept] = other;
        this.#scores[kept] = this.#scores[at] ?? 0;
        kept += 1;
      }
      this.#counts[slot] = kept - from;
    }
  }

  /**
   * Calls `visit` with the best entries of a slot, best first, without spare entries. If the list
   * is unknown, there are no calls.
   */
  each(slot: number, visit: (other: number, score: number) => void): void {
    if (!this.knows(slot)) return;
    const from = slot * this.room;
    const end = from + Math.min(this.#most, this.#counts[slot] ?? 0);
    for (let at = from; at < end; at += 1) visit(this.#slots[at] ?? 0, this.#scores[at] ?? 0);
  }

  #ranksAfter(at: number, score: number, name: string): boolean {
    const there = this.#scores[at] ?? 0;
    return there < score || (there === score && this.#nameOf(this.#slots[at] ?? 0) > name);
  }

  #cutAt(slot: number, score: number, name: string): void {
    this.#cutScores[slot] = score;
    this.#cutNames[slot] = name;
  }

  #reserve(slot: number): void {
    const had = this.#counts.length;
    if (slot < had) return;
    const have = Math.max(256, slot + 1, Math.ceil(had * 1.5));
    this.#slots = grown(this.#slots, new Uint32Array(have * this.room));
    this.#scores = grown(this.#scores, new Float64Array(have * this.room));
    this.#cutScores = grown(this.#cutScores, new Float64Array(have).fill(Number.NaN));
    this.#counts = grown(this.#counts, new Uint16Array(have).fill(UNKNOWN_SIZE));
  }
}

function grown<
  Numbers extends Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>,
>(array: Numbers, larger: Numbers): Numbers {
  larger.set(array);
  return larger;
}
