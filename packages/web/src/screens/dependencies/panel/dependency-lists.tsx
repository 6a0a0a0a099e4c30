import type { IssueDetail } from '@winnow/contract/issue-detail';
import { useId } from 'react';
import { type DependencyActions, DependencyDetails } from '../badges/dependency-details.tsx';
import { dependenciesOf, dependencyKey, type Side, type Sided } from '../dependency-state.ts';
import { SIDE_LABELS } from '../dependency-texts.ts';
import classes from './panel.module.css';

const NONE: Record<Side, string> = {
  blocked_by: 'Nothing is known that blocks it.',
  blocks: 'Nothing is known that it blocks.',
};

function List({ side, sided, actions }: { side: Side; sided: readonly Sided[]; actions: DependencyActions }) {
  const headingId = useId();
  return (
    <section className={classes.section} aria-labelledby={headingId}>
      <h3 className={classes.heading} id={headingId}>
        {SIDE_LABELS[side]}
        {sided.length === 0 ? null : <span className={classes.count}>{sided.length}</span>}
      </h3>
      {sided.length === 0 ? (
        <p className={classes.none}>{NONE[side]}</p>
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

/** What blocks an issue and what it blocks, each with its reason and what can be done. */
export function DependencyLists({ issue, actions }: { issue: IssueDetail; actions: DependencyActions }) {
  const sided = dependenciesOf(issue.id, issue.dependencies);
  return (
    <>
      <List side="blocked_by" sided={sided.filter(({ side }) => side === 'blocked_by')} actions={actions} />
      <List side="blocks" sided={sided.filter(({ side }) => side === 'blocks')} actions={actions} />
    </>
  );
}
