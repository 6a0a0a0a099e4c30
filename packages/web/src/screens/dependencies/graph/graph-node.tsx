import { memo } from 'react';
import { Link } from 'react-router';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import type { RowRegistry } from '../../../ui/data-list/row-registry.ts';
import classes from './graph.module.css';
import { NODE } from './layout/layout.ts';
import type { DrawnIssue } from './model.ts';

/** Maximum characters of a title in a node. This number always fits. */
const MAX_NODE_TITLE_CHARS = 30;

/** Shortens a title to the maximum length, at a word boundary if possible. */
function shortened(title: string): string {
  const characters = Array.from(title);
  if (characters.length <= MAX_NODE_TITLE_CHARS) return title;
  const beginning = characters.slice(0, MAX_NODE_TITLE_CHARS - 1).join('');
  const words = beginning.slice(0, beginning.lastIndexOf(' ')).trimEnd();
  return `${words === '' ? beginning : words}…`;
}

export type GraphNodeProps = {
  drawn: DrawnIssue;
  to: string;
  /** True if the issue is open in the panel. */
  selected: boolean;
  /** True if the Tab key focuses this node. */
  reachable: boolean;
  /** True if the node is near the visible part and large enough to read. */
  detailed: boolean;
  replace: boolean;
  /** Elements of the drawn issues, used to focus them. */
  rows: RowRegistry;
};

/**
 * The visible text is hidden from screen readers, because the accessible name of the link contains
 * it.
 */
const ARIA_HIDDEN = { 'aria-hidden': true };

function Face({ drawn }: { drawn: DrawnIssue }) {
  const { issue, label, remark } = drawn;
  return (
    <g {...ARIA_HIDDEN}>
      <g transform="translate(10 9)">
        <StatusIcon status={issue.status} size={14} />
      </g>
      <text className={classes.nodeKey} x={30} y={20}>
        {label}
      </text>{' '}
      {remark === null ? null : (
        <text className={classes.remark} x={NODE.width - 10} y={20} textAnchor="end">
          {remark}
        </text>
      )}{' '}
      <text className={classes.nodeTitle} x={10} y={40}>
        {shortened(issue.title)}
      </text>
    </g>
  );
}

/** Node of the graph, which is a link that opens the issue. */
export const GraphNode = memo(function GraphNode(props: GraphNodeProps) {
  const { drawn, to, selected, reachable, detailed, replace, rows } = props;
  const { issue, position } = drawn;
  return (
    <Link
      ref={rows.ref(issue.id)}
      className={classes.node}
      to={to}
      replace={replace}
      preventScrollReset
      tabIndex={reachable ? 0 : -1}
      aria-label={drawn.name}
      aria-current={selected ? 'true' : undefined}
      data-issue={issue.id}
      data-closed={issue.state === 'closed' || undefined}
      data-cycle={drawn.inCycle || undefined}
      data-chain={drawn.chainStep !== null || undefined}
      draggable={false}
    >
      <g transform={`translate(${position.x} ${position.y})`}>
        <title>{`${issue.key} ${issue.title}`}</title>
        <rect width={NODE.width} height={NODE.height} rx={8} />
        {detailed ? <Face drawn={drawn} /> : null}
      </g>
    </Link>
  );
});
