import { truncate } from '../platform/text.ts';
import { WEB_ADDRESS } from './references.ts';

const MAX_LINE_CHARS = 600;

/**
 * Formats model output for users as one plain paragraph; null if it is empty. Removes addresses,
 * because the author of an issue may have tricked the model into returning one.
 */
export function plainLine(text: string): string | null {
  const plain = text.replace(WEB_ADDRESS, '[address]').replace(/\s+/gu, ' ').trim();
  if (plain === '') return null;
  return truncate(plain, MAX_LINE_CHARS, '…');
}

/** Like {@link plainLine}, with a placeholder for an empty reason. */
export function plainReason(text: string): string {
  return plainLine(text) ?? 'The model gave no reason that can be shown.';
}
