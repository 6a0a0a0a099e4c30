import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useVerdicts } from '../../features/verdicts/queries.ts';
import { Badge } from '../../theme/parts/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { Loading } from '../../ui/states/skeletons.tsx';
import { usePendingText, useSuggestions } from './queries.ts';
import { SuggestionRow, SuggestionSkeleton } from './suggestion-row.tsx';
import classes from './suggestions.module.css';

/** List of the most probable pairs in the queue, with the number of pairs in it. */
export function Suggestions() {
  const suggestions = useSuggestions();
  const pending = usePendingText();
  const { data } = suggestions;
  const verdictOn = useVerdicts(data?.top ?? []);
  return (
    <Card
      title="Similar Issue Suggestions"
      beside={data && data.top.length > 0 ? <Badge small>{data.count}</Badge> : null}
      actions={
        <Link to="/console/issues" className={`link ${classes.all}`}>
          See all...
        </Link>
      }
    >
      {data === undefined ? (
        suggestions.isError ? (
          <div className={classes.inset}>
            <ErrorState
              error={suggestions.error}
              title="Could not load suggestions."
              onRetry={() => void suggestions.refetch()}
              retrying={suggestions.isFetching}
            />
          </div>
        ) : (
          <Loading label="Loading suggestions">
            {['first', 'second', 'third'].map((place) => (
              <SuggestionSkeleton key={place} />
            ))}
          </Loading>
        )
      ) : data.top.length === 0 ? (
        <div className={classes.inset}>
          <Alert role="note" icon={<IconInfoCircle size={16} aria-hidden />}>
            {pending ?? 'No similar issues found for the current filters.'}
          </Alert>
        </div>
      ) : (
        <ol>
          {data.top.map((pair) => (
            <SuggestionRow key={pair.id} pair={pair} verdict={verdictOn(pair)} />
          ))}
        </ol>
      )}
    </Card>
  );
}
