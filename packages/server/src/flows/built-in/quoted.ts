import { visible } from '../../ai/fence.ts';
import { cutTo } from '../../platform/text.ts';

const LONGEST = 500;

/** A sentence with words of strangers in it, for a comment of ours: it calls nobody, and hides nothing in the page. */
export function quoted(sentence: string): string {
  const line = visible(sentence).replace(/\s+/gu, ' ').trim();
  return cutTo(line, LONGEST, '…').replaceAll('<', '&lt;').replaceAll('@', '@\u2060');
}
