import type { IssueSummary } from '@winnow/contract/issue';
import { countText } from '../../ui/texts/count-text.ts';
import { RelativeTime } from '../../ui/texts/relative-time.tsx';

/** Author, age and number of comments of an issue. */
export function IssueMeta({ issue }: { issue: IssueSummary }) {
  const comments = issue.comments_count === 1 ? '1 comment' : `${countText(issue.comments_count)} comments`;
  return (
    <>
      {issue.author === null ? null : `${issue.author}, `}
      <RelativeTime at={issue.created_at} />
      {`, ${comments}`}
    </>
  );
}
