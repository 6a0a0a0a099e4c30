/** Reason why a list of issues or pairs is empty. */
export type EmptyReason = 'no_projects' | 'working' | 'past_the_end' | 'no_match';

/**
 * Returns the reason to show for an empty list. `projects` is undefined while loading. While jobs
 * run, returns `working`, since they may still fill the list.
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
