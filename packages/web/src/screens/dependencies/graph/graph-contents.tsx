import { memo } from 'react';
import type { RowRegistry } from '../../../ui/data-list/row-registry.ts';
import { GraphEdges } from './graph-edges.tsx';
import { GraphNode } from './graph-node.tsx';
import { NODE } from './layout/layout.ts';
import type { DrawnGraph } from './model.ts';
import { type Box, touches } from './viewport.ts';

/**
 * Properties of the drawing. The box is the part that is rendered in detail, in drawing
 * coordinates.
 */
export type GraphContentsProps = Box & {
  graph: DrawnGraph;
  /** True if the scale is large enough to read titles. */
  named: boolean;
  selectedId: string | null;
  /** Id of the issue that the Tab key focuses. */
  reachable: string | undefined;
  rows: RowRegistry;
  hrefOf: (issueId: string) => string;
  onFocus: (issueId: string) => void;
  /** Prefix of the ids of arrowheads, which makes them unique to this drawing. */
  prefix: string;
};

/**
 * Renders every issue, so that each can be focused. Details are rendered only for issues near the
 * visible part.
 */
export const GraphContents = memo(function GraphContents(props: GraphContentsProps) {
  const { graph, named, selectedId, reachable, rows, hrefOf, onFocus, prefix, ...sight } = props;
  return (
    <>
      <GraphEdges edges={graph.edges.filter(({ box }) => touches(box, sight))} prefix={prefix} />
      {graph.issues.map((drawn) => {
        const { issue, position } = drawn;
        const isInSight = touches({ ...position, width: NODE.width, height: NODE.height }, sight);
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: observes the focus of its links
          <g key={issue.id} onFocus={() => onFocus(issue.id)}>
            <GraphNode
              drawn={drawn}
              to={hrefOf(issue.id)}
              selected={issue.id === selectedId}
              reachable={issue.id === reachable}
              detailed={named && isInSight}
              replace={selectedId !== null}
              rows={rows}
            />
          </g>
        );
      })}
    </>
  );
});
