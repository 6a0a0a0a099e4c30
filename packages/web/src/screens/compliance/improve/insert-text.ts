import type { Insertion } from './questions.ts';

/**
 * Inserts a text into a text field as if the user had typed it, so that the browser's undo removes
 * it. Selects the inserted text and focuses the field.
 */
export function insertText(field: HTMLTextAreaElement, { at, text }: Insertion): void {
  field.focus();
  field.setSelectionRange(at, at);
  // `execCommand` is deprecated, but no other API adds the insertion to the undo history of the
  // text field.
  if (!document.execCommand('insertText', false, text)) {
    field.setRangeText(text, at, at, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.setSelectionRange(at, at + text.length);
}
