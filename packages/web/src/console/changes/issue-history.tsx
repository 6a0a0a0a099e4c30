import { Link } from 'react-router';
import { countText } from '../../ui/count-text.ts';
import { useChangesCount } from './queries.ts';
import { changesOfIssue } from './search-params.ts';

/** What was decided about an issue, and written to it: how many changes, and where they are listed, as the end of a list of facts. Nothing without any. */
export function IssueHistory({ issue }: { issue: { id: string; key: string } }) {
  const { data: count = 0 } = useChangesCount(issue.id);
  if (count === 0) return null;
  return (
    <>
      {', '}
      <Link className="link" to={changesOfIssue(issue.key)}>
        {count === 1 ? '1 change' : `${countText(count)} changes`}
        <span className="vh"> of {issue.key}</span>
      </Link>
    </>
  );
}
