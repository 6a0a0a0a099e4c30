import { dependencyKey, standingOf } from '../dependency-state.ts';
import classes from './graph.module.css';
import type { DrawnEdge } from './model.ts';
import { pathOf } from './path.ts';

/** How an edge is shown; a cycle is worse than a chain is long. */
export type EdgeLook = 'plain' | 'chain' | 'cycle';
const EDGE_LOOKS: readonly EdgeLook[] = ['plain', 'chain', 'cycle'];

/** The nodes' names say what the lines show. */
const DRAWN_ONLY = { 'aria-hidden': true };

function lookOf({ edge, onChain }: DrawnEdge): EdgeLook {
  if (edge.is_in_cycle) return 'cycle';
  return onChain ? 'chain' : 'plain';
}

/** The heads of arrows, one for each look: a marker has its own color. */
export function ArrowHeads({ prefix }: { prefix: string }) {
  return (
    <defs>
      {EDGE_LOOKS.map((look) => (
        <marker
          key={look}
          id={`${prefix}-${look}`}
          viewBox="0 0 8 8"
          refX={7}
          refY={4}
          markerWidth={8}
          markerHeight={8}
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path className={classes.arrow} data-look={look} d="M0 0.5 8 4 0 7.5z" />
        </marker>
      ))}
    </defs>
  );
}

/** A line as edges have it, for the legend too. */
export function EdgeLine(props: {
  d: string;
  look: EdgeLook;
  dashed: boolean;
  dimmed: boolean;
  prefix: string;
}) {
  return (
    <path
      className={classes.edge}
      d={props.d}
      data-look={props.look}
      data-dashed={props.dashed || undefined}
      data-dimmed={props.dimmed || undefined}
      markerEnd={`url(#${props.prefix}-${props.look})`}
    />
  );
}

/** All lines, what matters most on top. */
export function GraphEdges(props: { edges: readonly DrawnEdge[]; prefix: string }) {
  const inOrder = props.edges.toSorted(
    (one, other) => EDGE_LOOKS.indexOf(lookOf(one)) - EDGE_LOOKS.indexOf(lookOf(other)),
  );
  return (
    <g {...DRAWN_ONLY}>
      {inOrder.map((drawn) => (
        <EdgeLine
          key={dependencyKey(drawn.edge)}
          d={pathOf(drawn.route)}
          look={lookOf(drawn)}
          dashed={standingOf(drawn.edge) === 'found'}
          dimmed={drawn.edge.is_satisfied}
          prefix={props.prefix}
        />
      ))}
    </g>
  );
}
