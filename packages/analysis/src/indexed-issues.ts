import type { IndexedIssue } from './indexed-issue.ts';

/** The issues of one corpus. Each issue has a slot, a small integer, until it is removed. */
export class IndexedIssues {
  readonly #slots = new Map<string, number>();
  readonly #items: (IndexedIssue | null)[] = [];
  readonly #free: number[] = [];
  /** Slots of the issues by the hash of their text. Most hashes belong to one issue. */
  readonly #alike = new Map<string, number[]>();

  /** Number of issues. */
  get size(): number {
    return this.#slots.size;
  }

  /** All slots are below this number. */
  get capacity(): number {
    return this.#items.length;
  }

  /** Returns the slot of an issue, or -1 for an unknown id. */
  slotOf(id: string): number {
    return this.#slots.get(id) ?? -1;
  }

  /** Returns the issue in this slot, or null if the slot is free. */
  at(slot: number): IndexedIssue | null {
    return this.#items[slot] ?? null;
  }

  /** Returns the ids of all issues in insertion order. */
  ids(): string[] {
    return [...this.#slots.keys()];
  }

  /** Returns the slots of all issues, in the same order as `ids`. */
  slots(): number[] {
    return [...this.#slots.values()];
  }

  /** Returns the slots of the issues whose normalized text has this hash. */
  alike(digest: string): readonly number[] {
    return this.#alike.get(digest) ?? [];
  }

  /** Adds an issue, or replaces the issue with the same id. Returns its slot. */
  put(issue: IndexedIssue): number {
    const known = this.#slots.get(issue.id);
    const slot = known ?? this.#free.pop() ?? this.#items.length;
    if (known !== undefined) this.#unlink(known);
    this.#slots.set(issue.id, slot);
    this.#items[slot] = issue;
    const alike = this.#alike.get(issue.digest);
    if (alike === undefined) this.#alike.set(issue.digest, [slot]);
    else alike.push(slot);
    return slot;
  }

  /** Removes an issue. Returns the slot that it had, or -1 for an unknown id. */
  remove(id: string): number {
    const slot = this.#slots.get(id);
    if (slot === undefined) return -1;
    this.#unlink(slot);
    this.#slots.delete(id);
    this.#items[slot] = null;
    this.#free.push(slot);
    return slot;
  }

  #unlink(slot: number): void {
    const digest = this.#items[slot]?.digest ?? '';
    const others = this.alike(digest).filter((other) => other !== slot);
    if (others.length === 0) this.#alike.delete(digest);
    else this.#alike.set(digest, others);
  }
}
