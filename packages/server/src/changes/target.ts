import type { IssueView, ProjectRef } from '../issues/index.ts';
import type { IssueTarget } from '../trackers/index.ts';

/** Converts an issue to the form that providers expect. */
export function targetOf(issue: IssueView): IssueTarget {
  return {
    externalId: issue.external_id,
    key: issue.key,
    project: {
      externalId: issue.project_external_id,
      identifier: issue.project_identifier,
      name: issue.project_name,
    },
  };
}

/** Returns the account, tracker and project that an issue belongs to. */
export function projectRefOf(issue: IssueView): ProjectRef {
  return { accountId: issue.account_id, trackerId: issue.tracker_id, projectId: issue.project_id };
}
