import type { Tone } from '../../theme/tones.ts';

const CLOSED = new Set(['closed', 'done', 'resolved']);
const OPEN = new Set(['open', 'opened', 'to do', 'in progress']);

/** The tone of a tracker's own status word, whatever its case: closed is success, open is what can be acted on. */
export function statusTone(status: string): Extract<Tone, 'success' | 'accent' | 'neutral'> {
  const word = status.trim().toLowerCase();
  if (CLOSED.has(word)) return 'success';
  return OPEN.has(word) ? 'accent' : 'neutral';
}
