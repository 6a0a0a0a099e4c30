/**
 * True if a key press belongs to a text field or a browser shortcut, and is thus not one of our
 * shortcuts.
 */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select')
  );
}
