import type { Change } from '@winnow/contract/change';
import classes from '../../../features/changes/change-panel.module.css';
import { DecisionError } from '../../../features/changes/decision-error.tsx';
import { StepGroupItem } from '../../../features/changes/step-group-item.tsx';
import { StepItem } from '../../../features/changes/step-item.tsx';
import { StoppedNotice } from '../../../features/changes/stopped-notice.tsx';
import type { ChangeActions } from '../../../features/changes/use-change-actions.ts';
import { useChange } from '../../../features/decisions/queries.ts';
import { groupsOf } from '../../../features/decisions/step-groups.ts';
import { effectText } from '../../../features/decisions/step-text.ts';
import steps from '../../../features/decisions/steps.module.css';
import type { ListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { AboutChange } from './about-change.tsx';
import { PanelFooter } from './panel-footer.tsx';

function PanelSkeleton() {
  return (
    <Loading label="Loading the change">
      <div className={classes.section}>
        <div className={classes.skeleton}>
          <TextSkeleton width={96} height={20} />
          <TextSkeleton width="84%" height={14} />
          <TextSkeleton width="48%" />
        </div>
      </div>
      <div className={classes.section}>
        <div className={classes.skeleton}>
          <TextSkeleton width={64} />
          <TextSkeleton width="100%" height={64} />
          <TextSkeleton width="100%" height={64} />
        </div>
      </div>
    </Loading>
  );
}

function Steps({ change }: { change: Change }) {
  const numbered = change.steps.map((step, index) => ({ step, number: index + 1 }));
  const groups = groupsOf(change.steps);
  return (
    <section className={classes.section} aria-label="Steps">
      <h3 className={classes.heading}>{effectText(change.steps)}</h3>
      <ol className={steps.list}>
        {groups === null
          ? numbered.map(({ step, number }) => (
              <StepItem key={step.id} step={step} number={number} changeStatus={change.status} />
            ))
          : groups.map((group) => (
              <StepGroupItem key={group.group} group={group} changeStatus={change.status} />
            ))}
      </ol>
    </section>
  );
}

export type ChangePanelProps = {
  changeId: string;
  walk: ListWalk;
  deciding: ChangeActions;
  onClose: () => void;
};

/** Panel of a change, with a summary, the result of each step, and actions. */
export function ChangePanel({ changeId, walk, deciding, onClose }: ChangePanelProps) {
  const { data: change, error, refetch, isFetching } = useChange(changeId);
  return (
    <SidePanel
      title="Change Details"
      itemName="change"
      {...(walk.position === undefined ? {} : { position: walk.position })}
      onPrevious={walk.previous}
      onNext={walk.next}
      onClose={onClose}
      footer={change && <PanelFooter change={change} deciding={deciding} />}
    >
      <div key={changeId}>
        {change === undefined && error === null ? <PanelSkeleton /> : null}
        {change === undefined && error !== null ? (
          <div className={classes.section}>
            <ErrorState
              error={error}
              title="This change could not be shown"
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          </div>
        ) : null}
        {change === undefined ? null : (
          <>
            <DecisionError change={change} error={deciding.errorOf(change.id)} />
            <StoppedNotice change={change} />
            <AboutChange change={change} />
            <Steps change={change} />
          </>
        )}
      </div>
    </SidePanel>
  );
}
