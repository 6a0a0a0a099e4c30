import type { IssueDetail } from '@winnow/contract/issue-detail';
import { useId } from 'react';
import { type DependencyActions, DependencyDetails } from '../badges/dependency-details.tsx';
import { dependenciesOf, dependencyKey, type Side, type Sided } from '../standing.ts';
import classes from './panel.module.css';

const HEADINGS: Record<Side, { title: string; none: string }> = {
  blocked_by: { title: 'Waits for', none: 'It waits for nothing that is known.' },
  blocks: { title: 'Waited for by', none: 'Nothing that is known waits for it.' },
};

function List({ side, sided, actions }: { side: Side; sided: readonly Sided[]; actions: DependencyActions }) {
  const headingId = useId();
  const { title, none } = HEADINGS[side];
  return (
    <section className={classes.section} aria-labelledby={headingId}>
      <h3 className={classes.heading} id={headingId}>
        {title}
        {sided.length === 0 ? null : <span className={classes.count}>{sided.length}</span>}
      </h3>
      {sided.length === 0 ? (
        <p className={classes.none}>{none}</p>
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

/** What an issue waits for and what waits for it, each with its reason and what can be done. */
export function DependencyLists({ issue, actions }: { issue: IssueDetail; actions: DependencyActions }) {
  const sided = dependenciesOf(issue.id, issue.dependencies);
  return (
    <>
      <List side="blocked_by" sided={sided.filter(({ side }) => side === 'blocked_by')} actions={actions} />
      <List side="blocks" sided={sided.filter(({ side }) => side === 'blocks')} actions={actions} />
    </>
  );
}
