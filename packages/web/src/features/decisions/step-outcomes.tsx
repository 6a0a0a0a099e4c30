import { Loader } from '@mantine/core';
import {
  type Icon,
  IconAlertTriangle,
  IconArrowBackUp,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
} from '@tabler/icons-react';
import type { Change, StepStatus } from '@winnow/contract/change';
import { type Tone, toneTokens } from '../../theme/tones.ts';
import { groupsOf } from './step-groups.ts';
import { StepLine } from './step-line.tsx';
import classes from './writes.module.css';

/** Label, tone and icon of each step status. */
export const STEP_LOOKS: Record<StepStatus, { label: string; tone: Tone; icon: Icon }> = {
  pending: { label: 'Waiting', tone: 'neutral', icon: IconCircleDashed },
  applying: { label: 'Applying', tone: 'info', icon: IconCircleDashed },
  applied: { label: 'Done', tone: 'success', icon: IconCircleCheck },
  failed: { label: 'Failed', tone: 'danger', icon: IconAlertTriangle },
  skipped: { label: 'Not done', tone: 'neutral', icon: IconCircleMinus },
  undone: { label: 'Undone', tone: 'neutral', icon: IconArrowBackUp },
};

function Outcome({ step }: { step: Change['steps'][number] }) {
  const { label, tone, icon: Glyph } = STEP_LOOKS[step.status];
  return (
    <li className={classes.outcome}>
      {step.status === 'applying' ? (
        <Loader size={16} aria-hidden />
      ) : (
        <Glyph size={18} stroke={1.75} style={{ color: toneTokens(tone).text }} aria-hidden />
      )}
      <StepLine step={step} />
      <span className={classes.status}>{label}</span>
      {step.error === null ? null : <p className={classes.reason}>{step.error}</p>}
    </li>
  );
}

/**
 * Result of each step of a change, with the tracker's reason for a failure. A long change shows one
 * line per group of steps.
 */
export function StepOutcomes({ change }: { change: Change }) {
  const shown = groupsOf(change.steps)?.map(({ main }) => main) ?? change.steps;
  return (
    <ol className={classes.progress}>
      {shown.map((step) => (
        <Outcome key={step.id} step={step} />
      ))}
    </ol>
  );
}
