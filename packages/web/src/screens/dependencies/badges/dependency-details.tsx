import { Button } from '@mantine/core';
import type { Dependency } from '@winnow/contract/dependency';
import { Link } from 'react-router';
import { changeAddress } from '../../../features/changes/change-search.ts';
import { scoreText, scoreTone } from '../../../features/compliance/score.ts';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { IssueKey } from '../../../features/issues/issue-key.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { Meter } from '../../../theme/parts/meter.tsx';
import {
  commitStateOf,
  type HeldBackLookup,
  type IssueLookup,
  isSatisfied,
  otherEnd,
  type SidedDependency,
} from '../dependency-state.ts';
import { HELD_BACK_TEXTS, reasonParts, SIDE_LABELS } from '../dependency-texts.ts';
import { dismissDependency, undoCommit } from '../dependency-toasts.ts';
import classes from './badges.module.css';

/**
 * Dependencies that are committed together: those of one issue, of the listed issues, or of the
 * whole project.
 */
export type CommitScope = 'issue' | 'page' | 'project';

/** Actions on dependencies, and a function that finds their issues. */
export type DependencyActions = {
  issueOf: IssueLookup;
  /** Returns the URL that opens an issue in the panel. */
  hrefOf: (issueId: string) => string;
  /** Opens the dialog that commits dependencies after a preview. */
  onCommit: (dependencies: readonly Dependency[], scope: CommitScope) => void;
  heldBack: HeldBackLookup;
};

/** Text that explains why a dependency was found, with quotes highlighted. */
function Reason({ reason }: { reason: string }) {
  const parts = reasonParts(reason).map((part, at) => ({ ...part, at }));
  return (
    <p className={classes.reason} dir="auto">
      {parts.map(({ text, quoted, at }) =>
        quoted ? (
          <mark className={classes.quote} key={at}>
            {text}
          </mark>
        ) : (
          <span key={at}>{text}</span>
        ),
      )}
    </p>
  );
}

function Confidence({ confidence_score: score, found_by: foundBy }: Dependency) {
  return (
    <p className={classes.sure}>
      <span>
        <b>{scoreText(score)}</b> confidence
      </span>
      <span className={classes.meter}>
        <Meter value={score} tone={scoreTone(score)} thin />
      </span>
      {foundBy === null ? null : <span className={classes.finder}>{foundBy}</span>}
    </p>
  );
}

function FoundActions({ sided, actions, onLeave }: DependencyDetailsProps) {
  const { dependency } = sided;
  return (
    <>
      {dependency.undone ? <p className={classes.note}>{HELD_BACK_TEXTS.undone}</p> : null}
      <div className={classes.ways}>
        <Button
          size="xs"
          variant="filled"
          onClick={() => {
            onLeave();
            actions.onCommit([dependency], 'issue');
          }}
        >
          Commit
        </Button>
        <Button
          size="xs"
          onClick={() => {
            onLeave();
            void dismissDependency(dependency);
          }}
        >
          Not a dependency
        </Button>
      </div>
    </>
  );
}

function CommittedActions({ changeId, onLeave }: { changeId: string | null; onLeave: () => void }) {
  if (changeId === null) return null;
  return (
    <div className={classes.ways}>
      <span className={classes.note}>
        Committed.{' '}
        <Link className="link" to={changeAddress(changeId)}>
          Show the change
        </Link>
      </span>
      <Button
        size="xs"
        onClick={() => {
          onLeave();
          void undoCommit(changeId);
        }}
      >
        Undo
      </Button>
    </div>
  );
}

function Actions(props: DependencyDetailsProps) {
  const { dependency } = props.sided;
  switch (commitStateOf(dependency)) {
    case 'found':
      return <FoundActions {...props} />;
    case 'committed':
      return <CommittedActions changeId={dependency.change_id} onLeave={props.onLeave} />;
    case 'tracker':
      return <p className={classes.note}>It comes from the tracker, so there is nothing to commit.</p>;
  }
}

export type DependencyDetailsProps = {
  sided: SidedDependency;
  actions: DependencyActions;
  /** Called before the user follows a link or starts an action, to close the details. */
  onLeave: () => void;
};

/** Details of a dependency: the other issue, the reason, the confidence, the state and actions. */
export function DependencyDetails(props: DependencyDetailsProps) {
  const { sided, actions, onLeave } = props;
  const other = otherEnd(sided);
  const known = actions.issueOf(other.id);
  return (
    <div className={classes.details}>
      <div className={classes.head}>
        <span className={classes.side} data-side>
          {SIDE_LABELS[sided.side]}
        </span>
        <Link className={classes.other} to={actions.hrefOf(other.id)} preventScrollReset onClick={onLeave}>
          {known === undefined ? null : <StatusIcon status={known.status} size={14} />}
          <IssueKey>{other.key}</IssueKey> <TrackerMark projectId={other.project_id} />{' '}
          {known === undefined ? null : (
            <span className="trunc" dir="auto" title={known.title}>
              {known.title}
            </span>
          )}
        </Link>
      </div>
      <Reason reason={sided.dependency.reason} />
      <Confidence {...sided.dependency} />
      {isSatisfied(sided.dependency, actions.issueOf) ? (
        <p className={classes.note}>Satisfied: {sided.dependency.issue_key} is closed, so nothing waits.</p>
      ) : null}
      <Actions {...props} />
    </div>
  );
}
