import type { IssueDetail } from '@winnow/contract/issue-detail';
import { useId } from 'react';
import { type DependencyActions, DependencyDetails } from '../badges/dependency-details.tsx';
import { dependenciesOf, dependencyKey, type Side, type SidedDependency } from '../dependency-state.ts';
import { SIDE_LABELS } from '../dependency-texts.ts';
import classes from './panel.module.css';

const EMPTY_TEXTS: Record<Side, string> = {
  blocked_by: 'No known blockers.',
  blocks: 'Blocks no known issues.',
};

function List({
  side,
  sided,
  actions,
}: {
  side: Side;
  sided: readonly SidedDependency[];
  actions: DependencyActions;
}) {
  const headingId = useId();
  return (
    <section className={classes.section} aria-labelledby={headingId}>
      <h3 className={classes.heading} id={headingId}>
        {SIDE_LABELS[side]}
        {sided.length === 0 ? null : <span className={classes.count}>{sided.length}</span>}
      </h3>
      {sided.length === 0 ? (
        <p className={classes.none}>{EMPTY_TEXTS[side]}</p>
      ) : (
        <ul className={classes.dependencies}>
          {sided.map((one) => (
            <li key={dependencyKey(one.dependency)}>
              <DependencyDetails sided={one} actions={actions} onLeave={() => undefined} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/**
 * Lists the blockers of an issue, and the issues that it blocks. Each dependency has a reason and
 * actions.
 */
export function DependencyLists({ issue, actions }: { issue: IssueDetail; actions: DependencyActions }) {
  const sided = dependenciesOf(issue.id, issue.dependencies);
  return (
    <>
      <List side="blocked_by" sided={sided.filter(({ side }) => side === 'blocked_by')} actions={actions} />
      <List side="blocks" sided={sided.filter(({ side }) => side === 'blocks')} actions={actions} />
    </>
  );
}
