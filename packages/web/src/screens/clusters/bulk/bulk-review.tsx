import { Button, Checkbox, NumberInput } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type Cluster, type ClustersResolved, MAX_CLUSTERS_RESOLVED } from '@winnow/contract/cluster';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { issuesText } from '../../../features/clusters/cluster-texts.ts';
import { clusterListOptions } from '../../../features/clusters/queries.ts';
import { resolveClusters } from '../../../features/decisions/decision-requests.ts';
import { IssueKey } from '../../../features/issues/issue-key.tsx';
import { probabilityText } from '../../../features/pairs/pair-texts.ts';
import frame from '../../../features/write-dialog/item-dialog.module.css';
import { FOCUSABLE } from '../../../ui/keyboard/focusable.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import classes from './bulk.module.css';
import { type BulkPlan, type PlannedIssue, useBulkPlans } from './use-bulk-plans.ts';

/** Initial minimum probability, in percent. Review less probable clusters individually. */
const DEFAULT_PERCENT = 90;

function clustersText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'cluster' : 'clusters'}`;
}

function Line({ fate, planned: { issue, title } }: { fate: string; planned: PlannedIssue }) {
  return (
    <li>
      <span className={classes.fate}>{fate}</span>
      <IssueKey>{issue.key}</IssueKey> <span dir="auto">{title}</span>
      {issue.tracker === null ? null : <span className={classes.tracker}>{issue.tracker.name}</span>}
    </li>
  );
}

type ItemProps = {
  plan: BulkPlan;
  chosen: boolean;
  /**
   * True if the weakest link of the cluster is less probable than the selected minimum. The cluster
   * is then not selected by default.
   */
  doubtful: boolean;
  disabled: boolean;
  onToggle: () => void;
};

function Item({ plan: { cluster, planned, refusal }, chosen, doubtful, disabled, onToggle }: ItemProps) {
  return (
    <li className={frame.item}>
      <div className={frame.itemHead}>
        <Checkbox
          className={frame.itemName ?? ''}
          label={cluster.name}
          checked={chosen && refusal === null}
          disabled={disabled || refusal !== null}
          onChange={onToggle}
        />
        <span className={frame.fate}>{probabilityText(cluster.probability)}</span>
      </div>
      {refusal === null ? null : <p className={frame.refusal}>{refusal}</p>}
      {doubtful && cluster.weakest_probability !== null ? (
        <p className={frame.refusal}>
          {`One issue may not belong here: its link has a probability of ${probabilityText(cluster.weakest_probability)}.`}
        </p>
      ) : null}
      {refusal === null && planned === null ? <TextSkeleton width="70%" /> : null}
      {planned === null ? null : (
        <ul className={classes.issues} aria-label={`Issues of ${cluster.name}`}>
          <Line fate="Keep" planned={planned.canonical} />
          {planned.closed.map((each) => (
            <Line key={each.issue.id} fate="Close" planned={each} />
          ))}
        </ul>
      )}
    </li>
  );
}

export type BulkReviewProps = {
  /** Projects of the listed clusters. Empty lists clusters of all projects. */
  projects: readonly string[];
  onStarted: (clusters: readonly Cluster[], result: ClustersResolved) => void;
  /** Called with true when the resolutions are being started, and with false afterwards. */
  onBusy: (busy: boolean) => void;
  onClose: () => void;
};

/**
 * Lists clusters above a probability with the issues that would be closed, and starts to resolve
 * the selected clusters.
 */
export function BulkReview({ projects, onStarted, onBusy, onClose }: BulkReviewProps) {
  const [percent, setPercent] = useState<number>(DEFAULT_PERCENT);
  const list = useQuery({
    ...clusterListOptions({
      status: 'to_decide',
      order_by: 'value',
      limit: MAX_CLUSTERS_RESOLVED,
      project_ids: projects,
      probability_threshold: percent / 100,
    }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const { plans, loading } = useBulkPlans(list.data?.clusters ?? []);
  /** Clusters that the user selected or deselected, contrary to the default. */
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const isDoubtful = ({ weakest_probability: weakest }: Cluster) => (weakest ?? 1) < percent / 100;
  const isChosen = (cluster: Cluster) => toggled.has(cluster.id) === isDoubtful(cluster);
  const starting = useOneAtATime(
    useMutation({
      mutationFn: (chosen: readonly BulkPlan[]) =>
        resolveClusters({ clusters: chosen.flatMap(({ planned }) => planned?.wanted ?? []) }),
      onMutate: () => onBusy(true),
      onSuccess: (result, chosen) =>
        onStarted(
          chosen.map(({ cluster }) => cluster),
          result,
        ),
      onSettled: () => onBusy(false),
    }),
  );
  const toggle = (id: string) =>
    setToggled(
      (before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]),
    );
  const chosen = plans.filter(({ cluster, planned }) => planned !== null && isChosen(cluster));
  const issues = chosen.reduce((sum, { planned }) => sum + (planned?.closed.length ?? 0), 0);
  const beyond = (list.data?.total ?? 0) - plans.length;
  const isReady = !list.isPlaceholderData && loading === 0 && chosen.length > 0;
  return (
    <>
      <section className={frame.body} aria-label="Clusters to resolve" {...FOCUSABLE}>
        {starting.error === null ? null : (
          <ErrorState error={starting.error} title="The request failed. See Changes for what was started." />
        )}
        <div className={classes.fields}>
          <NumberInput
            className={classes.threshold ?? ''}
            data-autofocus
            label="Minimum probability"
            suffix=" %"
            min={1}
            max={100}
            step={5}
            clampBehavior="strict"
            allowDecimal={false}
            disabled={starting.isPending}
            value={percent}
            onChange={(value) => {
              if (typeof value === 'number' && value >= 1) setPercent(value);
            }}
          />
        </div>
        <p className={frame.intro}>
          Each cluster is resolved by a separate change, which can be undone. Clusters that change meanwhile
          are left out.
        </p>
        {list.error === null ? null : <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
        {list.data?.total === 0 ? (
          <p role="status">No undecided cluster reaches this probability. Choose a lower one.</p>
        ) : null}
        {beyond > 0 ? (
          <p className={frame.intro}>
            {`The ${plans.length} most valuable are listed. Resolve these first, then the other ${countText(beyond)}.`}
          </p>
        ) : null}
        {plans.length === 0 ? null : (
          <ul className={frame.items} aria-label="Clusters">
            {plans.map((plan) => (
              <Item
                key={plan.cluster.id}
                plan={plan}
                chosen={isChosen(plan.cluster)}
                doubtful={isDoubtful(plan.cluster)}
                disabled={starting.isPending}
                onToggle={() => toggle(plan.cluster.id)}
              />
            ))}
          </ul>
        )}
      </section>
      <div className={frame.footer}>
        <Button onClick={onClose}>{starting.isPending ? 'Close' : 'Cancel'}</Button>
        <span className={frame.state} role="status">
          {loading > 0
            ? `Preparing the preview: ${loading} left`
            : `${chosen.length} of ${clustersText(plans.length)} chosen`}
        </span>
        <Button
          variant="filled"
          disabled={!isReady && !starting.isPending}
          loading={starting.isPending}
          onClick={() => starting.mutate(chosen)}
        >
          {`Close ${issuesText(issues)}`}
        </Button>
      </div>
    </>
  );
}
