import { MAX_CLUSTER_MEMBERS_CLOSED } from '@winnow/contract/cluster';

/**
 * Returns the members to close. Initially these are all, or the first 500: the API closes no more
 * at once. `toggled` has the choices of the user, by issue id.
 */
export function chosenIssues<Member extends { issue: { id: string } }>(
  members: readonly Member[],
  toggled: ReadonlyMap<string, boolean>,
): Member[] {
  return members
    .filter(({ issue }, at) => toggled.get(issue.id) ?? at < MAX_CLUSTER_MEMBERS_CLOSED)
    .slice(0, MAX_CLUSTER_MEMBERS_CLOSED);
}
