import { visible } from '../../ai/fence.ts';

const LONGEST = 500;

/** A sentence with words of strangers in it, for a comment of ours: it calls nobody, and hides nothing in the page. */
export function quoted(sentence: string): string {
  const line = visible(sentence).replace(/\s+/gu, ' ').trim();
  const shown = line.length <= LONGEST ? line : `${line.slice(0, LONGEST).toWellFormed()}…`;
  return shown.replaceAll('<', '&lt;').replaceAll('@', '@\u2060');
}
