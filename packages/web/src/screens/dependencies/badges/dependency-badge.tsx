import { Popover } from '@mantine/core';
import {
  IconArrowNarrowLeft,
  IconArrowNarrowRight,
  IconCircleCheck,
  IconLink,
  IconPlugConnected,
} from '@tabler/icons-react';
import { useState } from 'react';
import { scoreText, scoreTone } from '../../../features/compliance/score.ts';
import { toneTokens } from '../../../theme/tones.ts';
import { commitStateOf, isSatisfied, otherEnd, ownEnd, type SidedDependency } from '../dependency-state.ts';
import { badgeName, keyLabel, SIDE_LABELS } from '../dependency-texts.ts';
import classes from './badges.module.css';
import { type DependencyActions, DependencyDetails } from './dependency-details.tsx';

const ICON = { size: 13, stroke: 1.75, 'aria-hidden': true } as const;

function CommitStateIcon({ dependency }: SidedDependency) {
  switch (commitStateOf(dependency)) {
    case 'committed':
      return <IconLink {...ICON} />;
    case 'tracker':
      return <IconPlugConnected {...ICON} />;
    case 'found':
      return null;
  }
}

export type DependencyBadgeProps = { sided: SidedDependency; actions: DependencyActions };

/**
 * Badge of a dependency, displayed at one of its two issues. It shows the direction, the other
 * issue and the confidence. A dashed border means that the dependency was only found in texts.
 * Icons mark a committed dependency (chain), one from the tracker (plug), and a satisfied one
 * (check). Clicking the badge opens details and actions.
 */
export function DependencyBadge({ sided, actions }: DependencyBadgeProps) {
  const [opened, setOpened] = useState(false);
  const { dependency, side } = sided;
  const satisfied = isSatisfied(dependency, actions.issueOf);
  const { text, background, border } = toneTokens(scoreTone(dependency.confidence_score));
  const Direction = side === 'blocks' ? IconArrowNarrowRight : IconArrowNarrowLeft;
  const close = () => setOpened(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      width={340}
      position="bottom-start"
      trapFocus
      returnFocus
      transitionProps={{ duration: 100 }}
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.badge}
          data-satisfied={satisfied || undefined}
          data-found={commitStateOf(dependency) === 'found' || undefined}
          style={{ background: satisfied ? 'none' : background, borderColor: border }}
          aria-label={badgeName(sided, satisfied)}
          onClick={() => setOpened(!opened)}
        >
          <Direction {...ICON} />
          {`${SIDE_LABELS[side]} `}
          <span className={classes.key}>{keyLabel(otherEnd(sided), ownEnd(sided))}</span>{' '}
          <span className={classes.confidence} style={{ color: text }}>
            {scoreText(dependency.confidence_score)}
          </span>
          <CommitStateIcon {...sided} />
          {satisfied ? <IconCircleCheck {...ICON} /> : null}
        </button>
      </Popover.Target>
      <Popover.Dropdown
        className={classes.dropdown ?? ''}
        onKeyDownCapture={(event) => {
          // Close only the popover on Escape, not the panel behind it.
          if (event.key === 'Escape') event.preventDefault();
        }}
      >
        <DependencyDetails sided={sided} actions={actions} onLeave={close} />
      </Popover.Dropdown>
    </Popover>
  );
}
