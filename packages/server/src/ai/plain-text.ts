import { cutTo } from '../platform/text.ts';
import { WEB_ADDRESS } from './references.ts';

const LONGEST_LINE = 600;

/**
 * What a model says, as it is shown to people: one plain paragraph; null when nothing is said. Addresses are left out, since
 * who wrote an issue may have talked the model into giving one.
 */
export function plainLine(text: string): string | null {
  const plain = text.replace(WEB_ADDRESS, '[address]').replace(/\s+/gu, ' ').trim();
  if (plain === '') return null;
  return cutTo(plain, LONGEST_LINE, '…');
}

/** The same of a reason, which is shown in any case. */
export function plainReason(text: string): string {
  return plainLine(text) ?? 'The model gave no reason that can be shown.';
}
