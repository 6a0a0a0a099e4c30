import { Button } from '@mantine/core';
import { IconArrowsSplit } from '@tabler/icons-react';
import { type ClusterDetail, MAX_DRAWN_MEMBERS } from '@winnow/contract/cluster';
import { useMemo } from 'react';
import { issuesText } from '../../../../features/clusters/cluster-texts.ts';
import { probabilityText } from '../../../../features/pairs/pair-texts.ts';
import { KeyCap } from '../../../../ui/keyboard/key-cap.tsx';
import { countText } from '../../../../ui/texts/count-text.ts';
import type { Act } from '../../use-cluster-actions.tsx';
import details from '../details.module.css';
import { edgeKey } from '../links.tsx';
import classes from './graph.module.css';
import { DRAWING } from './layout.ts';
import { type DrawnIssue, drawCluster, drawingText } from './model.ts';

/** Radius of the circle that represents an issue. */
const RADIUS = 7;
/** Stroke width of a link with probability 0, and the width added for probability 1. */
const MIN_STROKE = 0.75;
const STROKE_RANGE = 2;

function Node({ issue, upper, current }: { issue: DrawnIssue; upper: boolean; current: boolean }) {
  const { position, label, canonical, closed } = issue;
  return (
    <g
      className={classes.node}
      transform={`translate(${position.x} ${position.y})`}
      data-canonical={canonical || undefined}
      data-closed={closed || undefined}
      data-current={current || undefined}
    >
      <circle r={canonical ? RADIUS + 2 : RADIUS} />
      <text textAnchor="middle" y={upper ? -RADIUS - 7 : RADIUS + 16}>
        {label}
      </text>
    </g>
  );
}

function Drawing({ cluster, currentId }: { cluster: ClusterDetail; currentId: string | null }) {
  const { issues, links, weakest, height } = useMemo(() => drawCluster(cluster), [cluster]);
  return (
    <svg
      className={classes.drawing}
      viewBox={`0 0 ${DRAWING.width} ${height}`}
      role="img"
      aria-label={drawingText(cluster)}
    >
      {links.map(({ edge, from, to, weakest: isWeakest }) => (
        <line
          className={classes.edge}
          key={edgeKey(edge)}
          x1={from.x}
          y1={from.y}
          x2={to.x}
          y2={to.y}
          strokeWidth={MIN_STROKE + STROKE_RANGE * edge.probability}
          data-fixed={edge.constraint !== null || undefined}
          data-weakest={isWeakest || undefined}
        />
      ))}
      {issues.map((issue) => (
        <Node
          issue={issue}
          // In the upper half, draw labels above the issues, so that links do not cross them.
          upper={issue.position.y < height / 2 - 1}
          current={issue.id === currentId}
          key={issue.id}
        />
      ))}
      {weakest === undefined ? null : (
        <text
          className={classes.weakest}
          textAnchor="middle"
          x={(weakest.from.x + weakest.to.x) / 2}
          y={(weakest.from.y + weakest.to.y) / 2 - 8}
        >
          {probabilityText(weakest.edge.probability)}
        </text>
      )}
    </svg>
  );
}

export type ClusterGraphProps = {
  cluster: ClusterDetail;
  /** Id of the issue that is selected by keyboard. */
  currentId: string | null;
  onAct: Act;
};

/**
 * Graph of a cluster, drawn as its two most loosely linked parts. A button splits the cluster into
 * these parts.
 */
export function ClusterGraph({ cluster, currentId, onAct }: ClusterGraphProps) {
  const { split, members } = cluster;
  return (
    <section className={details.section} aria-labelledby="cluster-graph">
      <h3 className={details.heading} id="cluster-graph">
        Graph
      </h3>
      <Drawing cluster={cluster} currentId={currentId} />
      {members.length > MAX_DRAWN_MEMBERS ? (
        <p className={details.meta}>
          {`${MAX_DRAWN_MEMBERS} of ${issuesText(members.length)} are drawn. The lists contain all of them.`}
        </p>
      ) : null}
      {split === null ? null : (
        <div className={classes.split}>
          <p>
            {`This cluster may be two: ${countText(split.parts[0].length)} and ${issuesText(split.parts[1].length)}. Pairs between the two parts have a probability of ${probabilityText(split.probability)} on average.`}
          </p>
          <Button
            size="xs"
            leftSection={<IconArrowsSplit size={14} stroke={1.75} aria-hidden />}
            rightSection={<KeyCap>s</KeyCap>}
            onClick={() => onAct(cluster, { kind: 'split' })}
          >
            Split here
          </Button>
        </div>
      )}
    </section>
  );
}
