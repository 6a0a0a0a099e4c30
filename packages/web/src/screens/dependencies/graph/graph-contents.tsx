import { memo } from 'react';
import type { RowRegistry } from '../../../ui/data-list/row-registry.ts';
import { GraphEdges } from './graph-edges.tsx';
import { GraphNode } from './graph-node.tsx';
import { NODE } from './layout/layout.ts';
import type { DrawnGraph } from './model.ts';
import { type Box, touches } from './viewport.ts';

/** The box is what is in sight. */
export type GraphContentsProps = Box & {
  graph: DrawnGraph;
  /** Large enough for names to be read. */
  named: boolean;
  selectedId: string | null;
  /** The issue that Tab reaches. */
  reachable: string | undefined;
  rows: RowRegistry;
  hrefOf: (issueId: string) => string;
  onFocus: (issueId: string) => void;
  /** Tells the heads of arrows from those of other drawings. */
  prefix: string;
};

/** Draws every issue, so that each can have the focus, but only visible ones with all details. */
export const GraphContents = memo(function GraphContents(props: GraphContentsProps) {
  const { graph, named, selectedId, reachable, rows, hrefOf, onFocus, prefix, ...sight } = props;
  return (
    <>
      <GraphEdges edges={graph.edges.filter(({ box }) => touches(box, sight))} prefix={prefix} />
      {graph.issues.map((drawn) => {
        const { issue, place } = drawn;
        const isInSight = touches({ ...place, width: NODE.width, height: NODE.height }, sight);
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
