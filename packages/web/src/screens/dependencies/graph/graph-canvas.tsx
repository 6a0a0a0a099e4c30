import { ActionIcon, Tooltip } from '@mantine/core';
import { type Icon, IconArrowsMaximize, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useMemo } from 'react';
import type { RowRegistry } from '../../../ui/data-list/row-registry.ts';
import { FOCUSABLE } from '../../../ui/keyboard/focusable.ts';
import classes from './graph.module.css';
import { GraphContents } from './graph-contents.tsx';
import { ArrowHeads } from './graph-edges.tsx';
import { NODE } from './layout/layout.ts';
import type { DrawnGraph } from './model.ts';
import { readingOrder, type Step, stepFrom } from './steps.ts';
import { useViewport, type Viewport } from './use-viewport.ts';
import { type Box, READABLE_SCALE, renderedBox, scaleFor } from './viewport.ts';

/** Distance in pixels by which an arrow key moves the drawing. */
const PAN_STEP_PX = 60;
/** Minimum scale at which issue titles are drawn. */
const MIN_LABEL_SCALE = READABLE_SCALE * 0.8;
const STEP_BY_KEY: Record<string, Step> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const PAN_STEPS: Record<Step, { x: number; y: number }> = {
  left: { x: PAN_STEP_PX, y: 0 },
  right: { x: -PAN_STEP_PX, y: 0 },
  up: { x: 0, y: PAN_STEP_PX },
  down: { x: 0, y: -PAN_STEP_PX },
};

function boxOf(graph: DrawnGraph, issueId: string): Box | null {
  const position = graph.layout.positions.get(issueId);
  return position === undefined ? null : { ...position, width: NODE.width, height: NODE.height };
}

function Zoom({ viewport }: { viewport: Viewport }) {
  const buttons: [string, Icon, () => void][] = [
    ['Zoom in', IconZoomIn, viewport.zoomIn],
    ['Zoom out', IconZoomOut, viewport.zoomOut],
    ['Show all', IconArrowsMaximize, viewport.fit],
  ];
  return (
    <div className={classes.zoom}>
      {buttons.map(([label, Glyph, run]) => (
        <Tooltip label={label} key={label}>
          <ActionIcon variant="default" aria-label={label} onClick={run}>
            <Glyph size={16} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}

export type GraphCanvasProps = {
  graph: DrawnGraph;
  /** Id of the issue that is open in the panel. */
  selectedId: string | null;
  /** Id of the issue that is selected by keyboard. */
  currentId: string | null;
  /** Elements of the drawn issues, used to focus them. */
  rows: RowRegistry;
  hrefOf: (issueId: string) => string;
  onFocus: (issueId: string) => void;
};

/**
 * Drawing of the graph, from left to right. It can be dragged and zoomed. Arrow keys move along the
 * edges.
 */
export function GraphCanvas({ graph, selectedId, currentId, rows, hrefOf, onFocus }: GraphCanvasProps) {
  const prefix = useId();
  const { layout, issues } = graph;
  const first = issues.find(({ chainStep }) => chainStep === 1) ?? issues[0];
  const viewport = useViewport(layout, first?.position ?? { x: 0, y: 0 });
  const { view, size } = viewport;
  const firstId = useMemo(() => readingOrder(issues)[0], [issues]);
  const reachable = currentId !== null && layout.positions.has(currentId) ? currentId : firstId;
  // Height of the drawing when it is scaled to the available width.
  const preferredHeight = Math.ceil(layout.height * scaleFor(layout.width, size?.width ?? layout.width)) + 64;
  const sight = size === null ? null : renderedBox(view, size);

  const goTo = (issueId: string) => {
    const box = boxOf(graph, issueId);
    if (box !== null) viewport.reveal(box);
    rows.focus(issueId, { preventScroll: true });
  };
  // Move the issue that is selected by keyboard into view. Focus it only if the drawing or no
  // element has the focus.
  const follow = useEffectEvent((issueId: string) => {
    const box = boxOf(graph, issueId);
    if (box === null) return;
    viewport.reveal(box);
    const active = document.activeElement;
    if (active === null || active === document.body || viewport.ref.current?.contains(active) === true) {
      rows.focus(issueId, { preventScroll: true });
    }
  });
  // Follow the issue again after a resize, since opening the panel narrows the drawing.
  const visibleWidth = size?.width ?? null;
  useEffect(() => {
    if (currentId !== null && visibleWidth !== null) follow(currentId);
  }, [currentId, visibleWidth]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEP_BY_KEY[event.key];
    const on = event.target instanceof Element ? event.target.closest('[data-issue]') : null;
    if (step !== undefined && on !== null) {
      const next = stepFrom(graph, on.getAttribute('data-issue') ?? '', step);
      if (next !== null) goTo(next);
    } else if (step !== undefined && event.target === event.currentTarget) viewport.move(PAN_STEPS[step]);
    else if (event.key === '+' || event.key === '=') viewport.zoomIn();
    else if (event.key === '-') viewport.zoomOut();
    else if (event.key === '0') viewport.fit();
    else return;
    event.preventDefault();
  };

  return (
    <div className={classes.frame}>
      <section
        ref={viewport.ref}
        className={classes.window}
        aria-label="Drawing of the graph"
        aria-roledescription="graph"
        {...FOCUSABLE}
        data-dragging={viewport.dragging || undefined}
        style={{ height: `clamp(220px, ${preferredHeight}px, min(620px, 62dvh))` }}
        onKeyDown={onKeyDown}
        {...viewport.pointer}
      >
        <svg className={classes.svg} data-named={view.scale >= MIN_LABEL_SCALE || undefined}>
          <title>Issues and their blockers</title>
          <ArrowHeads prefix={prefix} />
          {sight !== null ? (
            <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
              <GraphContents
                graph={graph}
                x={sight.x}
                y={sight.y}
                width={sight.width}
                height={sight.height}
                named={view.scale >= MIN_LABEL_SCALE}
                selectedId={selectedId}
                reachable={reachable}
                rows={rows}
                hrefOf={hrefOf}
                onFocus={onFocus}
                prefix={prefix}
              />
            </g>
          ) : null}
        </svg>
      </section>
      <Zoom viewport={viewport} />
    </div>
  );
}
