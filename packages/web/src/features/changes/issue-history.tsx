import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { countText } from '../../ui/texts/count-text.ts';
import { changeListOptions } from '../decisions/queries.ts';
import { changesOfIssue } from './change-search.ts';

/** How many changes are about an issue. */
function useChangesCount(issueId: string) {
  return useQuery({
    ...changeListOptions({ issue_id: issueId, limit: 1 }),
    select: ({ total }) => total,
  });
}

import { useSharedPlaces } from '../issues/tracker-mark.tsx';

/** What was decided about an issue, and written to it: how many changes, and where they are listed, as the end of a list of facts. Nothing without any. */
export function IssueHistory({ issue }: { issue: { id: string; key: string; project_id: string } }) {
  const isShared = useSharedPlaces()(issue.project_id) !== null;
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
