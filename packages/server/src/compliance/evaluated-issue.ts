import type { EvaluatedIssue } from '@winnow/analysis/readiness';
import type { IssueView } from '../issues/service.ts';

/** An issue as it is judged. */
export function evaluatedIssue({ title, description, issue_type, labels }: IssueView): EvaluatedIssue {
  return { title, body: description, type: issue_type, labels };
}
