import { Loader } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleMinus } from '@tabler/icons-react';
import type { Pair } from '@winnow/contract/duplicate';
import type { ReactNode } from 'react';
import { StepLine } from '../../../features/decisions/step-line.tsx';
import { writesText, writesToTracker } from '../../../features/decisions/step-text.ts';
import { IssueKey } from '../../../features/issues/issue-key.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import frame from '../../../features/write-dialog/item-dialog.module.css';
import { TextSkeleton } from '../../../ui/states/skeletons.tsx';
import classes from './bulk.module.css';
import type { CompletedAction } from './bulk-execution.ts';
import type { LeftOutPair } from './plan.ts';
import type { Outcome } from './run.ts';
import type { BulkItem } from './use-bulk.ts';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const OUTCOMES: Record<Outcome<CompletedAction>['state'], { label: string; icon: ReactNode }> = {
  waiting: { label: 'Waiting', icon: <IconCircleDashed {...ICON} /> },
  running: { label: 'Applying', icon: <Loader size={14} aria-hidden /> },
  stopped: { label: 'Stopped by you', icon: <IconCircleMinus {...ICON} /> },
  done: { label: 'Done', icon: <IconCircleCheck {...ICON} color="var(--success-fg)" /> },
  failed: { label: 'Failed', icon: <IconAlertTriangle {...ICON} color="var(--danger-fg)" /> },
};

function PairHead({ pair, children }: { pair: Pair; children?: ReactNode }) {
  return (
    <div className={classes.pairHead}>
      <ul className={classes.issues}>
        {[pair.issue1, pair.issue2].map((issue) => (
          <li key={issue.id}>
            <IssueKey>{issue.key}</IssueKey>
            <TrackerMark projectId={issue.project_id} />
            <span className="trunc" dir="auto" title={issue.title}>
              {issue.title}
            </span>
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}

function Writes({ preview }: { preview: BulkItem['preview'] }) {
  if (preview === null) return <TextSkeleton width="70%" />;
  const steps = preview.steps.map((step, index) => ({ step, number: index + 1 }));
  return (
    <ol className={frame.writes}>
      {steps.map(({ step, number }) => (
        <li key={number}>
          <StepLine step={step} />
          {step.after.comment === undefined ? null : (
            <>
              : <span className={classes.comment}>{step.after.comment}</span>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

function OutcomeLabel({ outcome }: { outcome: Outcome<CompletedAction> }) {
  const { label, icon } = OUTCOMES[outcome.state];
  return (
    <span className={frame.fate}>
      {icon}
      {label}
    </span>
  );
}

export type ItemListProps = {
  items: readonly BulkItem[];
  /** Outcome of each item so far; null before the action starts. */
  outcomes: readonly Outcome<CompletedAction>[] | null;
};

/**
 * Lists the pairs of a bulk action. Shows the planned writes first, and the outcomes once the
 * action has started.
 */
export function ItemList({ items, outcomes }: ItemListProps) {
  return (
    <ul className={frame.items} aria-label="Pairs">
      {items.map(({ pair, choice, preview }, index) => {
        const outcome = outcomes?.[index];
        const writes = preview?.steps.filter((step) => writesToTracker(step.action)).length;
        return (
          <li className={frame.item} key={pair.id}>
            <PairHead pair={pair}>
              {outcome === undefined ? (
                <span className={frame.fate}>{writes === undefined ? null : writesText(writes)}</span>
              ) : (
                <OutcomeLabel outcome={outcome} />
              )}
            </PairHead>
            {outcome === undefined && choice !== null ? <Writes preview={preview} /> : null}
            {outcome?.state === 'failed' ? <p className={frame.refusal}>{outcome.reason}</p> : null}
          </li>
        );
      })}
    </ul>
  );
}

/** Lists the skipped pairs, each with the reason. */
export function LeftOutList({ leftOut }: { leftOut: readonly LeftOutPair[] }) {
  return (
    <ul className={frame.items} aria-label="Left out">
      {leftOut.map(({ pair, reason }) => (
        <li className={frame.item} key={pair.id}>
          <PairHead pair={pair} />
          <p className={frame.refusal}>{reason}</p>
        </li>
      ))}
    </ul>
  );
}
