import { ActionIcon, Tooltip } from '@mantine/core';
import { type Icon, IconArrowsMaximize, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useMemo } from 'react';
import type { RowRegistry } from '../../../ui/data-list/row-registry.ts';
import classes from './graph.module.css';
import { GraphContents } from './graph-contents.tsx';
import { ArrowHeads } from './graph-edges.tsx';
import { NODE } from './layout/layout.ts';
import type { DrawnGraph } from './model.ts';
import { readingOrder, type Step, stepFrom } from './steps.ts';
import { useViewport, type Viewport } from './use-viewport.ts';
import { type Box, READABLE_SCALE, scaleFor, sightOf } from './viewport.ts';

/** Pixels that an arrow key moves the drawing by. */
const PAN = 60;
/** At this scale and above, names are drawn. */
const NAMED_SCALE = READABLE_SCALE * 0.8;
const STEPS: Record<string, Step> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const PANS: Record<Step, { x: number; y: number }> = {
  left: { x: PAN, y: 0 },
  right: { x: -PAN, y: 0 },
  up: { x: 0, y: PAN },
  down: { x: 0, y: -PAN },
};

/** The drawing is moved with the arrows, so it takes the focus. */
const MOVED_BY_KEYS = { tabIndex: 0 };

function boxOf(graph: DrawnGraph, issueId: string): Box | null {
  const place = graph.layout.places.get(issueId);
  return place === undefined ? null : { ...place, width: NODE.width, height: NODE.height };
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
  /** Open in the panel. */
  selectedId: string | null;
  /** What the keyboard is on. */
  currentId: string | null;
  /** The drawn issues, by which the keyboard finds them. */
  rows: RowRegistry;
  hrefOf: (issueId: string) => string;
  onFocus: (issueId: string) => void;
};

/**
 * The graph, drawn from left to right: to be dragged, zoomed, and walked along its edges with the
 * arrows.
 */
export function GraphCanvas({ graph, selectedId, currentId, rows, hrefOf, onFocus }: GraphCanvasProps) {
  const prefix = useId();
  const { layout, issues } = graph;
  const first = issues.find(({ chainStep }) => chainStep === 1) ?? issues[0];
  const viewport = useViewport(layout, first?.place ?? { x: 0, y: 0 });
  const { view, size } = viewport;
  const firstId = useMemo(() => readingOrder(issues)[0], [issues]);
  const reachable = currentId !== null && layout.places.has(currentId) ? currentId : firstId;
  // As high as the drawing is at the scale that its width allows.
  const wantedHeight = Math.ceil(layout.height * scaleFor(layout.width, size?.width ?? layout.width)) + 64;
  const sight = size === null ? null : sightOf(view, size);

  const goTo = (issueId: string) => {
    const box = boxOf(graph, issueId);
    if (box !== null) viewport.reveal(box);
    rows.focus(issueId, { preventScroll: true });
  };
  // What the keys of the screen lead to is shown, and has the focus where the drawing has it
  // already.
  const follow = useEffectEvent((issueId: string) => {
    const box = boxOf(graph, issueId);
    if (box === null) return;
    viewport.reveal(box);
    const active = document.activeElement;
    if (active === null || active === document.body || viewport.ref.current?.contains(active) === true) {
      rows.focus(issueId, { preventScroll: true });
    }
  });
  // The panel beside it makes the window smaller.
  const seenWidth = size?.width ?? null;
  useEffect(() => {
    if (currentId !== null && seenWidth !== null) follow(currentId);
  }, [currentId, seenWidth]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    const on = event.target instanceof Element ? event.target.closest('[data-issue]') : null;
    if (step !== undefined && on !== null) {
      const next = stepFrom(graph, on.getAttribute('data-issue') ?? '', step);
      if (next !== null) goTo(next);
    } else if (step !== undefined && event.target === event.currentTarget) viewport.move(PANS[step]);
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
        {...MOVED_BY_KEYS}
        data-dragging={viewport.dragging || undefined}
        style={{ height: `clamp(220px, ${wantedHeight}px, min(620px, 62dvh))` }}
        onKeyDown={onKeyDown}
        {...viewport.pointer}
      >
        <svg className={classes.svg} data-named={view.scale >= NAMED_SCALE || undefined}>
          <title>Which issue waits for which</title>
          <ArrowHeads prefix={prefix} />
          {sight !== null ? (
            <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
              <GraphContents
                graph={graph}
                x={sight.x}
                y={sight.y}
                width={sight.width}
                height={sight.height}
                named={view.scale >= NAMED_SCALE}
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
