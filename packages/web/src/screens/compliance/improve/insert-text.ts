import type { Insertion } from './questions.ts';

/**
 * Inserts a text into a field as if typed, so that the field's own undo removes it. Selects the
 * inserted text and focuses the field.
 */
export function insertText(field: HTMLTextAreaElement, { at, text }: Insertion): void {
  field.focus();
  field.setSelectionRange(at, at);
  // `execCommand` is deprecated, but no other API preserves the field's undo history.
  if (!document.execCommand('insertText', false, text)) {
    field.setRangeText(text, at, at, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.setSelectionRange(at, at + text.length);
}
