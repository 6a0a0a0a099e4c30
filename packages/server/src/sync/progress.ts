interface Part {
  done: number;
  total: number;
}

/**
 * Reading progress over all projects whose tracker reports a total. `done` only grows and never
 * exceeds `total`. `total` only shrinks, since a tracker may report slightly too many items.
 */
export class ReadingProgress {
  readonly #parts = new Map<string, Part>();

  /**
   * Starts counting a project. A null total means that the tracker reports none; the project then
   * does not count.
   */
  begin(projectId: string, total: number | null): void {
    if (total !== null) this.#parts.set(projectId, { done: 0, total });
  }

  /** Adds items that were read. A listing may repeat items and grow while it is read. */
  read(projectId: string, items: number): void {
    const part = this.#parts.get(projectId);
    if (part) part.done = Math.min(part.done + items, part.total);
  }

  /** Ends a project, whether complete or aborted: nothing more will be read from it. */
  end(projectId: string): void {
    const part = this.#parts.get(projectId);
    if (part) part.total = part.done;
  }

  /** Returns the progress of all counted projects; null if none has a total. */
  current(): Part | null {
    const parts = [...this.#parts.values()];
    const sum = (of: (part: Part) => number) => parts.reduce((before, part) => before + of(part), 0);
    const total = sum((part) => part.total);
    return total === 0 ? null : { done: sum((part) => part.done), total };
  }
}
