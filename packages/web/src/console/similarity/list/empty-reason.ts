/** Why a list of pairs is empty. */
export type EmptyReason = 'no_projects' | 'working' | 'past_the_end' | 'no_match';

/**
 * Decides what an empty list says. `projects` is undefined while not known. Work in progress goes first, since the
 * list may fill while it is read.
 */
export function emptyReason(state: {
  total: number;
  projects: number | undefined;
  syncing: boolean;
  analyzing: boolean;
}): EmptyReason {
  if (state.total > 0) return 'past_the_end';
  if (state.syncing || state.analyzing) return 'working';
  return state.projects === 0 ? 'no_projects' : 'no_match';
}
