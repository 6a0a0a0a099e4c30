import { Button } from '@mantine/core';
import { IconCircleCheck, IconPlayerSkipForward, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Cluster, ReviewNext } from '@winnow/contract/cluster';
import { useEffect, useEffectEvent, useState } from 'react';
import { clusterOptions } from '../../../features/clusters/queries.ts';
import { Card } from '../../../ui/card.tsx';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import { KeyHints } from '../../../ui/keyboard/key-hints.tsx';
import { isUnderDialog, useScreenKeys } from '../../../ui/keyboard/screen-keys.ts';
import { useListedShortcuts } from '../../../ui/keyboard/shortcuts.ts';
import { Page } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { followClusterUndos, undoLastChange } from '../cluster-actions.ts';
import { ClusterDetails } from '../details/cluster-details.tsx';
import { ClusterButtons, DetailsSkeleton } from '../panel.tsx';
import { mayActOn, REVIEW_SECTION, REVIEW_SHORTCUTS } from '../shortcuts.ts';
import { clusterKeys, useClusterActions } from '../use-cluster-actions.tsx';
import { useMemberWalk } from '../use-member-walk.ts';
import { Progress } from './progress.tsx';
import { nextClusterOptions, releaseClaim, useReviewSummary } from './queries.ts';
import classes from './review.module.css';
import { type ReviewSession, withSkipped } from './session.ts';
import { Summary } from './summary.tsx';

/**
 * Explains that no cluster is left to review. Either all are decided, or the rest is skipped or
 * open in another review.
 */
function NothingLeft({ next, onRetry }: { next: ReviewNext; onRetry: () => void }) {
  if (next.left === 0) {
    return (
      <EmptyState icon={IconCircleCheck} title="Every cluster is decided">
        New clusters appear here as issues come in.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconUsers}
      title="No cluster is available for review"
      action={<Button onClick={onRetry}>Check again</Button>}
    >
      The remaining clusters were skipped, or are open in another review.
    </EmptyState>
  );
}

export type ReviewModeProps = {
  session: ReviewSession;
  onSession: (session: ReviewSession | null) => void;
  /** Called when the user returns to the list of clusters. */
  onLeave: () => void;
};

/** Review mode: displays one cluster after another, most valuable first, until none is left. */
export function ReviewMode({ session, onSession, onLeave }: ReviewModeProps) {
  const [turn, setTurn] = useState(0);
  const { ended } = session;
  /** Id of a cluster whose decision was undone. This cluster is displayed before the next one. */
  const [returnedId, setReturnedId] = useState<string | null>(null);
  const next = useQuery({ ...nextClusterOptions(session, turn), enabled: !ended });
  const summary = useReviewSummary(session);
  const shownId = returnedId ?? next.data?.cluster?.id ?? null;
  const { data: cluster } = useQuery({
    ...clusterOptions(shownId ?? ''),
    enabled: shownId !== null,
    // Hide the claim on the cluster, because it belongs to this review.
    select: (detail) => ({ ...detail, claim: null }),
  });
  const isTurning = returnedId === null && next.isPending;
  const shown = isTurning || ended || cluster === undefined ? null : cluster;
  const members = useMemberWalk(cluster);

  const goOn = () => {
    if (returnedId === null) setTurn((previous) => previous + 1);
    else setReturnedId(null);
  };
  const { act, dialogs } = useClusterActions({
    decided: goOn,
    refused: ({ id }: Cluster) => setReturnedId(id),
  });
  const arrive = useEffectEvent((clusterId: string) => {
    if (clusterId !== shownId) setReturnedId(clusterId);
  });
  useEffect(() => followClusterUndos((clusterId) => arrive(clusterId)), []);

  const skip = () => {
    if (shown === null) return;
    onSession(withSkipped(session, shown.id));
    goOn();
  };
  const pause = () => {
    void releaseClaim(session);
    onLeave();
  };
  useListedShortcuts(REVIEW_SECTION);
  useScreenKeys(
    {
      j: members.next,
      k: members.previous,
      n: members.next,
      p: members.previous,
      ...clusterKeys(() => shown, members, act),
      z: undoLastChange,
      l: skip,
      Escape: () => {
        if (!isUnderDialog()) pause();
      },
    },
    mayActOn,
  );

  if (ended) {
    return (
      <Page>
        <Summary
          session={session}
          onContinue={() => onSession({ ...session, ended: false })}
          onFinish={() => {
            onSession(null);
            onLeave();
          }}
        />
      </Page>
    );
  }
  const end = () => {
    void releaseClaim(session);
    onSession({ ...session, ended: true });
  };
  return (
    <Page footer={<KeyHints shortcuts={REVIEW_SHORTCUTS} />}>
      <Progress summary={summary.data} onPause={pause} onEnd={end} />
      {next.error === null ? null : (
        <ErrorState
          error={next.error}
          title="The next cluster could not be loaded"
          onRetry={() => void next.refetch()}
          retrying={next.isFetching}
        />
      )}
      {isTurning && next.error === null ? (
        <Card>
          <DetailsSkeleton />
        </Card>
      ) : null}
      {next.data !== undefined && shownId === null ? (
        <Card>
          <NothingLeft next={next.data} onRetry={() => void next.refetch()} />
        </Card>
      ) : null}
      {shown === null ? null : (
        <Card>
          <ClusterDetails cluster={shown} walk={members} onAct={act} />
          <div className={classes.foot}>
            <ClusterButtons cluster={shown} onAct={act}>
              <Button
                leftSection={<IconPlayerSkipForward size={16} stroke={1.75} aria-hidden />}
                rightSection={<KeyCap>l</KeyCap>}
                onClick={skip}
              >
                Later
              </Button>
            </ClusterButtons>
          </div>
        </Card>
      )}
      {dialogs}
    </Page>
  );
}
