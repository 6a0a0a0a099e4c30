import { Button } from '@mantine/core';
import { IconCircleCheck, IconDownload, IconEyeOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { CLUSTER_STATUSES } from '@winnow/contract/cluster';
import { Link } from 'react-router';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { clusterAddress } from '../../../features/clusters/cluster-texts.ts';
import { IssueKey } from '../../../features/issues/issue-key.tsx';
import { Badge } from '../../../theme/parts/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { Numbers, sizeText } from './progress.tsx';
import { exportSummary, type SummaryFormat, useReviewSummary } from './queries.ts';
import classes from './review.module.css';
import type { ReviewSession } from './session.ts';

const FORMATS: readonly { format: SummaryFormat; label: string }[] = [
  { format: 'markdown', label: 'Export as Markdown' },
  { format: 'csv', label: 'Export as CSV' },
];

export type SummaryProps = {
  session: ReviewSession;
  /** Called to continue the review; null if no clusters are left. */
  onContinue: (() => void) | null;
  onFinish: () => void;
};

/** Summary of a review, with buttons that export it. */
export function Summary({ session, onContinue, onFinish }: SummaryProps) {
  const { data: summary, error, refetch, isFetching } = useReviewSummary(session);
  const exporting = useOneAtATime(
    useMutation({ mutationFn: (format: SummaryFormat) => exportSummary(session, format) }),
  );
  return (
    <Card
      title="Review summary"
      actions={
        <>
          {onContinue === null ? null : (
            <Button size="xs" onClick={onContinue}>
              Continue
            </Button>
          )}
          <Button size="xs" variant="filled" onClick={onFinish}>
            Back to the clusters
          </Button>
        </>
      }
    >
      {error === null ? null : (
        <div className={classes.failed}>
          <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
        </div>
      )}
      {exporting.error === null ? null : (
        <div className={classes.failed}>
          <ErrorState error={exporting.error} title="The summary could not be exported" />
        </div>
      )}
      <section className={classes.progress} aria-label="Result">
        <Numbers summary={summary} />
      </section>
      {summary === undefined || summary.clusters.length > 0 ? null : (
        <EmptyState icon={IconCircleCheck} title="Nothing was decided in this review">
          Decided and dismissed clusters are listed here.
        </EmptyState>
      )}
      {summary === undefined || summary.clusters.length === 0 ? null : (
        <>
          <ol className={classes.decided} aria-label="Decided clusters">
            {summary.clusters.map((cluster) => (
              <li key={cluster.id}>
                <Badge
                  small
                  tone={cluster.status === 'decided' ? 'success' : 'neutral'}
                  icon={cluster.status === 'decided' ? IconCircleCheck : IconEyeOff}
                >
                  {CLUSTER_STATUSES[cluster.status].label}
                </Badge>
                <span className={classes.decidedName}>
                  <Link className="link" to={clusterAddress(cluster.id)} dir="auto">
                    {cluster.name}
                  </Link>
                  {cluster.canonical_key === null ? null : (
                    <>
                      {' '}
                      <IssueKey>{cluster.canonical_key}</IssueKey>
                    </>
                  )}
                </span>
                <span className={classes.meta}>
                  {`${sizeText(cluster.size, cluster.issues_removed)}, ${cluster.decided_by}, `}
                  <RelativeTime at={cluster.decided_at} />
                </span>
              </li>
            ))}
          </ol>
          <div className={classes.exports}>
            {FORMATS.map(({ format, label }) => (
              <Button
                key={format}
                leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
                loading={exporting.isPending && exporting.variables === format}
                onClick={() => exporting.mutate(format)}
              >
                {label}
              </Button>
            ))}
          </div>
        </>
      )}
    </Card>
  );
}
