interface Part {
  done: number;
  total: number;
}

/**
 * How far reading is, over all projects whose tracker tells how many items there are to read. Done only grows, the total
 * only shrinks (a tracker may tell a few too many), and done never passes it.
 */
export class ReadingProgress {
  readonly #parts = new Map<string, Part>();

  /** Reading of a project begins; null where the tracker does not tell how much there is, which then is not counted. */
  begin(projectId: string, total: number | null): void {
    if (total !== null) this.#parts.set(projectId, { done: 0, total });
  }

  /** So many items were read. Listings repeat some, and grow while they are read. */
  read(projectId: string, items: number): void {
    const part = this.#parts.get(projectId);
    if (part) part.done = Math.min(part.done + items, part.total);
  }

  /** Nothing more comes of this project, for whatever reason. */
  end(projectId: string): void {
    const part = this.#parts.get(projectId);
    if (part) part.total = part.done;
  }

  /** Null when there is nothing to count. */
  now(): Part | null {
    const parts = [...this.#parts.values()];
    const sum = (of: (part: Part) => number) => parts.reduce((before, part) => before + of(part), 0);
    const total = sum((part) => part.total);
    return total === 0 ? null : { done: sum((part) => part.done), total };
  }
}
