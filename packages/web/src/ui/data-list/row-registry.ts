/** Places where the focus stays while the rows beside them, or under them, change. */
const KEEPS_FOCUS = '[role="dialog"], [data-side-panel]';

type Mounted = HTMLElement | SVGElement;
type Attach = (element: Mounted | null) => () => void;

/**
 * The mounted rows of a list by the ids of their items. The keyboard walk moves the focus through
 * it.
 */
export class RowRegistry {
  readonly #mounted = new Map<string, Mounted>();
  readonly #refs = new Map<string, Attach>();
  #awaited: string | null = null;
  #reveal: ((id: string) => void) | null = null;

  /** Returns the ref of a row: the same function each time, so that a row attaches once. */
  ref(id: string): Attach {
    const known = this.#refs.get(id);
    if (known !== undefined) return known;
    const attach: Attach = (element) => {
      if (element !== null) this.#mounted.set(id, element);
      if (element !== null && this.#awaited === id) {
        this.#awaited = null;
        element.focus();
      }
      return () => {
        this.#mounted.delete(id);
        this.#refs.delete(id);
      };
    };
    this.#refs.set(id, attach);
    return attach;
  }

  /**
   * Registers how a windowed list scrolls to a row that is not mounted. Returns a function that
   * ends the registration.
   */
  onReveal(reveal: (id: string) => void): () => void {
    this.#reveal = reveal;
    return () => {
      if (this.#reveal === reveal) this.#reveal = null;
    };
  }

  /**
   * Focuses a row. If it is not mounted, the list reveals it if it can, and the row gets the focus
   * once it is mounted.
   */
  focus(id: string, options?: FocusOptions): void {
    const element = this.#mounted.get(id);
    this.#awaited = element === undefined && this.#reveal !== null ? id : null;
    if (element === undefined) this.#reveal?.(id);
    else element.focus(options);
  }

  /** True if the focus may move to a row automatically: another row has it, or nothing has it. */
  mayMoveFocus(): boolean {
    const active = document.activeElement;
    if (active === null || active === document.body) return true;
    return [...this.#mounted.values()].some((row) => row.contains(active));
  }

  /** True if nothing has the focus. */
  isFocusFree(): boolean {
    return document.activeElement === null || document.activeElement === document.body;
  }

  /**
   * Takes the focus from a control above the list, so that a row can have it. The panel and dialogs
   * keep it.
   */
  releaseFocus(): void {
    const active = document.activeElement;
    if (active instanceof HTMLElement && !this.mayMoveFocus() && active.closest(KEEPS_FOCUS) === null) {
      active.blur();
    }
  }
}
