/** Where the focus stays while the rows beside it, or under it, change. */
const KEEPS_FOCUS = '[role="dialog"], [data-side-panel]';

/** Whether the focus may go to a row by itself: it is on another one, or nowhere. */
export function mayMoveFocus(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || active.closest('tbody') !== null;
}

/**
 * Takes the focus from what has it, so that it can go to the row somebody steps to: nobody sees where a list is when the
 * focus stays on a button above it. The panel and dialogs keep it.
 */
export function releaseFocus(): void {
  const active = document.activeElement;
  if (active instanceof HTMLElement && !mayMoveFocus() && active.closest(KEEPS_FOCUS) === null) active.blur();
}
