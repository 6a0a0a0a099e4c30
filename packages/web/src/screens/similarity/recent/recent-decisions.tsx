import { ActionIcon, Button } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useCurrentUser } from '../../../features/account/current-user.ts';
import { useLocalDecisions } from '../../../features/decisions/local-decisions.ts';
import { useLastChanges } from '../../../features/decisions/queries.ts';
import { nextToUndo, recentDecisions } from '../../../features/decisions/recent-decisions.ts';
import { DecisionLine } from './decision-line.tsx';
import classes from './recent.module.css';

/** Maximum number of decisions listed. Older decisions can be undone in the panel of their pair. */
const MAX_DECISIONS_LISTED = 5;

/**
 * Lists the latest decisions of the user, with buttons to undo them. Initially shows only the
 * newest. Renders nothing if there is none.
 */
export function RecentDecisions() {
  const headingId = useId();
  const listId = useId();
  const { data: user } = useCurrentUser();
  const { data: changes, isError, refetch } = useLastChanges();
  const localDecisions = useLocalDecisions();
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const [isOpenHere, setOpenHere] = useState(false);
  const [isOpenWide, setOpenWide] = useLocalStorage({
    key: 'similarity-recent-open',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  // On a phone, an expanded list would cover the pairs. Therefore, it is collapsed initially, even
  // if the user expanded it before.
  const [open, setOpen] = isNarrow ? [isOpenHere, setOpenHere] : [isOpenWide, setOpenWide];
  if (changes === undefined && isError) {
    return (
      <div className={classes.strip}>
        <p className={classes.failed}>Recent decisions could not be loaded.</p>
        <Button size="xs" onClick={() => void refetch()}>
          Retry
        </Button>
      </div>
    );
  }
  if (changes === undefined || user === undefined) return null;
  const decisions = recentDecisions(changes, user.id, localDecisions).slice(0, MAX_DECISIONS_LISTED);
  if (decisions.length === 0) return null;
  const next = nextToUndo(decisions);
  const Chevron = open ? IconChevronDown : IconChevronUp;
  return (
    <section className={classes.strip} aria-labelledby={headingId}>
      <h2 className={classes.heading} id={headingId}>
        Recent decisions
      </h2>
      <ol className={classes.list} id={listId}>
        {decisions.slice(0, open ? MAX_DECISIONS_LISTED : 1).map((decision) => (
          <DecisionLine key={decision.id} decision={decision} isNext={decision === next} />
        ))}
      </ol>
      {decisions.length > 1 ? (
        <ActionIcon
          className={classes.toggle ?? ''}
          aria-label={open ? 'Show only the last decision' : 'Show more decisions'}
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen(!open)}
        >
          <Chevron size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      ) : null}
    </section>
  );
}
