/** Elements that retain the focus when rows of the list change: dialogs and the side panel. */
const KEEPS_FOCUS = '[role="dialog"], [data-side-panel]';

type Mounted = HTMLElement | SVGElement;
type Attach = (element: Mounted | null) => () => void;

/**
 * The mounted rows of a list, by the ids of their items. Keyboard navigation uses this registry to
 * move the focus.
 */
export class RowRegistry {
  readonly #mounted = new Map<string, Mounted>();
  readonly #refs = new Map<string, Attach>();
  #awaited: string | null = null;
  #reveal: ((id: string) => void) | null = null;

  /**
   * Returns the ref callback of a row. For each id, it returns the same function, so that a row
   * attaches only once.
   */
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
   * Registers the function that scrolls to a row that is not mounted. Returns a function that
   * removes the registration.
   */
  onReveal(reveal: (id: string) => void): () => void {
    this.#reveal = reveal;
    return () => {
      if (this.#reveal === reveal) this.#reveal = null;
    };
  }

  /**
   * Focuses a row. If the row is not mounted, scrolls the list to the row, and focuses it as soon
   * as it is mounted.
   */
  focus(id: string, options?: FocusOptions): void {
    const element = this.#mounted.get(id);
    this.#awaited = element === undefined && this.#reveal !== null ? id : null;
    if (element === undefined) this.#reveal?.(id);
    else element.focus(options);
  }

  /**
   * True if the code may move the focus to a row. The focus must be on another row or on no
   * element.
   */
  mayMoveFocus(): boolean {
    const active = document.activeElement;
    if (active === null || active === document.body) return true;
    return [...this.#mounted.values()].some((row) => row.contains(active));
  }

  /** True if no element has the focus. */
  isFocusFree(): boolean {
    return document.activeElement === null || document.activeElement === document.body;
  }

  /**
   * Removes the focus from a control outside the list, so that a row can receive it. The side panel
   * and dialogs retain the focus.
   */
  releaseFocus(): void {
    const active = document.activeElement;
    if (active instanceof HTMLElement && !this.mayMoveFocus() && active.closest(KEEPS_FOCUS) === null) {
      active.blur();
    }
  }
}
