import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { scoreText } from '../../../features/compliance/score.ts';
import { IssueKey } from '../../../features/issues/issue-key.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import { dependencyKey } from '../dependency-state.ts';
import { dependenciesText, dependencyStateText } from '../dependency-texts.ts';
import classes from './graph.module.css';
import type { GraphEdge, GraphIssue } from './model.ts';

/** Number of rows displayed until the user clicks "Show all". */
const INITIAL_ROWS = 50;

export type GraphTableProps = {
  issues: readonly GraphIssue[];
  dependencies: readonly GraphEdge[];
  hrefOf: (issueId: string) => string;
};

/**
 * Sorts dependencies: first those in a cycle, then unsatisfied ones, then satisfied ones. Each
 * group is sorted by the key of the blocking issue.
 */
function inOrder(dependencies: readonly GraphEdge[]): GraphEdge[] {
  const rankOf = ({ is_in_cycle, is_satisfied }: GraphEdge) => (is_in_cycle ? 0 : is_satisfied ? 2 : 1);
  const collator = new Intl.Collator('en', { numeric: true });
  return dependencies.toSorted(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      collator.compare(one.issue_key, other.issue_key) ||
      collator.compare(one.dependency_key, other.dependency_key),
  );
}

/** Table that lists every dependency of the graph with its confidence and state. */
export function GraphTable({ issues, dependencies, hrefOf }: GraphTableProps) {
  const [whole, setWhole] = useState(false);
  const titles = new Map(issues.map(({ id, title }) => [id, title]));
  const rows = inOrder(dependencies);
  const shown = whole ? rows : rows.slice(0, INITIAL_ROWS);
  const end = ({ id, key, project_id: projectId }: GraphEdge['source']) => (
    <Link className={classes.end} to={hrefOf(id)} preventScrollReset>
      <IssueKey>{key}</IssueKey>
      <TrackerMark projectId={projectId} />
      <span className="trunc" dir="auto" title={titles.get(id)}>
        {titles.get(id)}
      </span>
    </Link>
  );
  return (
    <>
      <table {...TABLE_ROLES.table} className={classes.table} aria-label="Dependencies">
        <thead {...TABLE_ROLES.group}>
          <tr {...TABLE_ROLES.row}>
            <th {...TABLE_ROLES.head}>Source</th>
            <th {...TABLE_ROLES.head}>Dependent</th>
            <th {...TABLE_ROLES.head} className={classes.number}>
              Confidence
            </th>
            <th {...TABLE_ROLES.head}>State</th>
          </tr>
        </thead>
        <tbody {...TABLE_ROLES.group}>
          {shown.map((edge) => (
            <tr {...TABLE_ROLES.row} key={dependencyKey(edge)}>
              <td {...TABLE_ROLES.cell}>{end(edge.source)}</td>
              <td {...TABLE_ROLES.cell}>{end(edge.dependent)}</td>
              <td {...TABLE_ROLES.cell} className={classes.number}>
                {scoreText(edge.confidence_score)}
              </td>
              <td {...TABLE_ROLES.cell} className={classes.state}>
                {dependencyStateText(edge, { satisfied: edge.is_satisfied, inCycle: edge.is_in_cycle })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === rows.length ? null : (
        <div className={classes.more}>
          <Button size="xs" onClick={() => setWhole(true)}>
            {`Show all ${dependenciesText(rows.length)}`}
          </Button>
        </div>
      )}
    </>
  );
}
