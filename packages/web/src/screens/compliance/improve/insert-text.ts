import type { Insertion } from './questions.ts';

/**
 * Inserts a text into a field as if it had been typed, so that the field's own undo takes it back,
 * and shows it selected. The focus goes to the field.
 */
export function insertText(field: HTMLTextAreaElement, { at, text }: Insertion): void {
  field.focus();
  field.setSelectionRange(at, at);
  // Deprecated, but nothing else leaves the field's history of undo as it is.
  if (!document.execCommand('insertText', false, text)) {
    field.setRangeText(text, at, at, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.setSelectionRange(at, at + text.length);
}
