import type { EvaluatedIssue } from '@winnow/analysis/readiness';
import type { IssueView } from '../issues/index.ts';

/** Returns the fields of an issue that analysts judge. */
export function evaluatedIssue({ title, description, issue_type, labels }: IssueView): EvaluatedIssue {
  return { title, body: description, type: issue_type, labels };
}
