import { Button, Loader } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { announceRetry, undoDecision } from '../../../features/decisions/decision-toasts.ts';
import type { Decision, RecentDecision, RecentState } from '../../../features/decisions/recent-decisions.ts';
import { type Tone, toneTokens } from '../../../theme/tones.ts';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import classes from './recent.module.css';

const ICON = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;
/** Badge for each state of a decision. Null for a completed decision, which has no badge. */
const RESOLUTION_LOOKS: Record<RecentState, { label: string; tone: Tone; icon: ReactNode } | null> = {
  done: null,
  applying: { label: 'Applying', tone: 'neutral', icon: <Loader size={12} aria-hidden /> },
  partly_applied: { label: 'Partly done', tone: 'warning', icon: <IconAlertTriangle {...ICON} /> },
  failed: { label: 'Failed', tone: 'danger', icon: <IconAlertTriangle {...ICON} /> },
  undoing: { label: 'Undoing', tone: 'neutral', icon: <Loader size={12} aria-hidden /> },
  undo_failed: { label: 'Not undone', tone: 'danger', icon: <IconAlertTriangle {...ICON} /> },
  undone: { label: 'Undone', tone: 'neutral', icon: <IconArrowBackUp {...ICON} /> },
};

function State({ state }: { state: RecentState }) {
  const look = RESOLUTION_LOOKS[state];
  if (look === null) return null;
  return (
    <span className={classes.state}>
      <span className={classes.icon} style={{ color: toneTokens(look.tone).text }}>
        {look.icon}
      </span>
      {look.label}
    </span>
  );
}

export type DecisionLineProps = {
  decision: RecentDecision;
  /** True if the `z` key undoes this decision. */
  isNext: boolean;
};

/**
 * A recent decision with its title, time, state and actions. If it has stopped, also shows the
 * reason.
 */
export function DecisionLine({ decision, isNext }: DecisionLineProps) {
  const { title, at, state, reason, retry, undo } = decision;
  const retrying = useMutation({ mutationFn: announceRetry });
  const undoing = useMutation({ mutationFn: (taken: Decision) => undoDecision(taken) });
  const ways = (
    <>
      {retry === null ? null : (
        <Button size="xs" loading={retrying.isPending} onClick={() => retrying.mutate(retry)}>
          Retry
        </Button>
      )}
      {undo === null ? null : (
        <Button
          className={classes.undo ?? ''}
          size="xs"
          loading={undoing.isPending}
          onClick={() => undoing.mutate(undo)}
          rightSection={isNext ? <KeyCap>z</KeyCap> : undefined}
        >
          Undo
        </Button>
      )}
    </>
  );
  return (
    <li>
      <div className={classes.line}>
        <span className={`${classes.title} trunc`} title={title}>
          {title}
        </span>
        <span className={classes.time}>
          <RelativeTime at={new Date(at).toISOString()} />
        </span>
        <State state={state} />
        {reason === null ? ways : null}
      </div>
      {reason === null ? null : (
        <div className={classes.line}>
          <p className={classes.reason}>{reason}</p>
          {ways}
        </div>
      )}
    </li>
  );
}
