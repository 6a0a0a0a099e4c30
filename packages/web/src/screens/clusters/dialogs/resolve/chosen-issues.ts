import { MAX_CLUSTER_MEMBERS_CLOSED } from '@winnow/contract/cluster';

/**
 * Returns the selected members, whose issues will be closed. By default, these are the first 500,
 * the maximum of the API. `toggled` contains the selection made by the user, by issue id.
 */
export function chosenIssues<Member extends { issue: { id: string } }>(
  members: readonly Member[],
  toggled: ReadonlyMap<string, boolean>,
): Member[] {
  return members
    .filter(({ issue }, at) => toggled.get(issue.id) ?? at < MAX_CLUSTER_MEMBERS_CLOSED)
    .slice(0, MAX_CLUSTER_MEMBERS_CLOSED);
}
