import { visible } from '../../ai/index.ts';
import { truncate } from '../../platform/text.ts';

const MAX_SENTENCE_CHARS = 500;

/**
 * Prepares a sentence that contains untrusted words for a comment. Prevents mentions and hidden
 * markup.
 */
export function quote(sentence: string): string {
  const line = visible(sentence).replace(/\s+/gu, ' ').trim();
  return truncate(line, MAX_SENTENCE_CHARS, '…').replaceAll('<', '&lt;').replaceAll('@', '@\u2060');
}
