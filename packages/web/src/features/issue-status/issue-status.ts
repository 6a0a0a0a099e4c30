import type { Tone } from '../../theme/tones.ts';

const CLOSED_WORDS = new Set(['closed', 'done', 'resolved']);
const OPEN_WORDS = new Set(['open', 'opened', 'to do', 'in progress']);

/**
 * Returns the color tone of a tracker's status name, ignoring letter case. Closed statuses are
 * green, open statuses have the accent color, others are neutral.
 */
export function statusTone(status: string): Extract<Tone, 'success' | 'accent' | 'neutral'> {
  const word = status.trim().toLowerCase();
  if (CLOSED_WORDS.has(word)) return 'success';
  return OPEN_WORDS.has(word) ? 'accent' : 'neutral';
}
