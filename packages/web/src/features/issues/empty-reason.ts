/** Why a list of issues, or of pairs of them, is empty. */
export type EmptyReason = 'no_projects' | 'working' | 'past_the_end' | 'no_match';

/**
 * Decides what an empty list says. `projects` is undefined while not known. Work in progress goes first, since the
 * list may fill while it is read.
 */
export function emptyReason(state: {
  total: number;
  projects: number | undefined;
  working: boolean;
}): EmptyReason {
  if (state.total > 0) return 'past_the_end';
  if (state.working) return 'working';
  return state.projects === 0 ? 'no_projects' : 'no_match';
}
