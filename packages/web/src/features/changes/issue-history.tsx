import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { countText } from '../../ui/texts/count-text.ts';
import { changeListOptions } from '../decisions/queries.ts';
import { changesOfIssue } from './change-search.ts';

function useChangesCount(issueId: string) {
  return useQuery({
    ...changeListOptions({ issue_id: issueId, limit: 1 }),
    select: ({ total }) => total,
  });
}

import { useNamesakeLookup } from '../issues/tracker-mark.tsx';

/**
 * Link to the changes of an issue, labeled with their number. Placed after other facts about the
 * issue, separated by a comma. Renders nothing if the issue has no changes.
 */
export function IssueHistory({ issue }: { issue: { id: string; key: string; project_id: string } }) {
  const isShared = useNamesakeLookup()(issue.project_id) !== null;
  const { data: count = 0 } = useChangesCount(issue.id);
  if (count === 0) return null;
  return (
    <>
      {', '}
      <Link className="link" to={changesOfIssue(isShared ? issue.id : issue.key)}>
        {count === 1 ? '1 change' : `${countText(count)} changes`}
        <span className="vh"> of {issue.key}</span>
      </Link>
    </>
  );
}
