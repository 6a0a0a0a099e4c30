import { commitStateOf, dependencyKey } from '../dependency-state.ts';
import classes from './graph.module.css';
import type { DrawnEdge } from './model.ts';
import { pathOf } from './path.ts';

/**
 * Style of an edge: in a cycle, on the longest chain, or neither. In a cycle, `cycle` takes
 * precedence.
 */
export type EdgeLook = 'plain' | 'chain' | 'cycle';
const EDGE_LOOKS: readonly EdgeLook[] = ['plain', 'chain', 'cycle'];

/**
 * Hides the edges from screen readers, because the accessible names of the nodes contain the same
 * information.
 */
const ARIA_HIDDEN = { 'aria-hidden': true };

function lookOf({ edge, onChain }: DrawnEdge): EdgeLook {
  if (edge.is_in_cycle) return 'cycle';
  return onChain ? 'chain' : 'plain';
}

/** Arrowheads for edges. Each edge style has its own, since the color of an SVG marker is fixed. */
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

/** Line that represents an edge, in the drawing and in the legend. */
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

/** Draws all edges. Edges of cycles and of the longest chain are drawn last, on top. */
export function GraphEdges(props: { edges: readonly DrawnEdge[]; prefix: string }) {
  const inOrder = props.edges.toSorted(
    (one, other) => EDGE_LOOKS.indexOf(lookOf(one)) - EDGE_LOOKS.indexOf(lookOf(other)),
  );
  return (
    <g {...ARIA_HIDDEN}>
      {inOrder.map((drawn) => (
        <EdgeLine
          key={dependencyKey(drawn.edge)}
          d={pathOf(drawn.route)}
          look={lookOf(drawn)}
          dashed={commitStateOf(drawn.edge) === 'found'}
          dimmed={drawn.edge.is_satisfied}
          prefix={props.prefix}
        />
      ))}
    </g>
  );
}
