interface Part {
  done: number;
  total: number;
}

/**
 * Progress of reading issues, over all projects for which the tracker reports a total. `done` never
 * decreases and never exceeds `total`. `total` only decreases, when a project turns out to have
 * fewer items than reported.
 */
export class ReadingProgress {
  readonly #parts = new Map<string, Part>();

  /**
   * Starts counting a project. Ignores the project if `total` is null, because the tracker reports
   * none.
   */
  begin(projectId: string, total: number | null): void {
    if (total !== null) this.#parts.set(projectId, { done: 0, total });
  }

  /**
   * Adds items that were read. Counts at most the project's total, because a listing may repeat
   * items or grow meanwhile.
   */
  read(projectId: string, items: number): void {
    const part = this.#parts.get(projectId);
    if (part) part.done = Math.min(part.done + items, part.total);
  }

  /** Ends a project, whether it was read completely or not. No more items of it will be counted. */
  end(projectId: string): void {
    const part = this.#parts.get(projectId);
    if (part) part.total = part.done;
  }

  /**
   * Returns the progress over all counted projects. Returns null if the tracker reports no totals.
   */
  current(): Part | null {
    const parts = [...this.#parts.values()];
    const sum = (of: (part: Part) => number) => parts.reduce((before, part) => before + of(part), 0);
    const total = sum((part) => part.total);
    return total === 0 ? null : { done: sum((part) => part.done), total };
  }
}
