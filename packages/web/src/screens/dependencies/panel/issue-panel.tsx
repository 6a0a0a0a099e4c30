import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { IssueDetail } from '@winnow/contract/issue-detail';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
import type { ListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../../ui/states/skeletons.tsx';
import type { DependencyActions } from '../badges/dependency-details.tsx';
import { committableDependencies } from '../dependency-state.ts';
import { issueDetailOptions, useGraph } from '../queries.ts';
import { DependencyLists } from './dependency-lists.tsx';
import { IssueText } from './issue-text.tsx';
import classes from './panel.module.css';

const SKELETON_LINE_WIDTHS = ['92%', '78%', '88%', '64%', '40%'];

function PanelSkeleton() {
  return (
    <Loading label="Loading the issue">
      <div className={classes.section}>
        <div className={classes.skeleton}>
          <TextSkeleton width={120} />
          <TextSkeleton width="84%" height={14} />
        </div>
      </div>
      <div className={classes.section}>
        <div className={classes.skeleton}>
          {SKELETON_LINE_WIDTHS.map((width) => (
            <TextSkeleton key={width} width={width} />
          ))}
        </div>
      </div>
    </Loading>
  );
}

function Footer({ issue, actions }: { issue: IssueDetail; actions: DependencyActions }) {
  const uncommitted = committableDependencies(issue.dependencies);
  const offered = uncommitted.filter((one) => actions.heldBack(one) === null).length;
  return (
    <>
      <PermissionGate needs="write">
        <Button
          variant="filled"
          disabled={uncommitted.length === 0}
          rightSection={<KeyCap>c</KeyCap>}
          onClick={() => actions.onCommit(uncommitted, 'issue')}
        >
          {offered > 1 ? `Commit ${offered}` : 'Commit'}
        </Button>
      </PermissionGate>
      <span className={classes.promise}>
        {uncommitted.length === 0 ? 'Nothing to commit' : 'Nothing is written until you confirm'}
      </span>
    </>
  );
}

export type IssuePanelProps = {
  issueId: string;
  walk: ListWalk;
  actions: DependencyActions;
  onClose: () => void;
};

/** Panel of an issue, with its blockers, the issues that it blocks, and its text. */
export function IssuePanel({ issueId, walk, actions, onClose }: IssuePanelProps) {
  const { data: issue, error, refetch, isFetching } = useQuery(issueDetailOptions(issueId));
  // Load the graph, because it contains issues that are not in the list.
  const { data: graph } = useGraph(issue?.project_id ?? null);
  const issueOf: DependencyActions['issueOf'] = (id) =>
    graph?.issues.find((one) => one.id === id) ?? actions.issueOf(id);
  return (
    <SidePanel
      title="Issue Details"
      itemName="issue"
      {...(walk.position === undefined ? {} : { position: walk.position })}
      onPrevious={walk.previous}
      onNext={walk.next}
      onClose={onClose}
      footer={issue && <Footer issue={issue} actions={actions} />}
    >
      <div className={classes.panel} key={issueId}>
        {issue === undefined && error === null ? <PanelSkeleton /> : null}
        {issue === undefined && error !== null ? (
          <div className={classes.section}>
            <ErrorState
              error={error}
              title="This issue could not be shown"
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          </div>
        ) : null}
        {issue === undefined ? null : (
          <IssueText issue={issue}>
            <DependencyLists issue={issue} actions={{ ...actions, issueOf }} />
          </IssueText>
        )}
      </div>
    </SidePanel>
  );
}
