import type { MapPoint, MapRegion } from '@winnow/contract/search';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useMemo, useState } from 'react';
import { useTheme } from '../../../theme/theme-store.ts';
import { drawingOrder, radiusOf } from './draw.ts';
import type { Label } from './labels.ts';
import classes from './map.module.css';
import { MapOverlay } from './map-overlay.tsx';
import { MapTools, ZOOM_STEP } from './map-tools.tsx';
import { type Direction, pointAt, pointTowards } from './nearest.ts';
import { boundsOf } from './plane.ts';
import type { PointStyles } from './point-styles.ts';
import { PointTip } from './point-tip.tsx';
import { PointsCanvas } from './points-canvas.tsx';
import { countInside, regionBetween, regionFromDrag } from './regions.ts';
import { type Tool, useMapDrag } from './use-map-drag.ts';
import { useMapWindow } from './use-map-window.ts';

const ARROWS: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
/**
 * Attributes that make the map focusable. With the role `application`, screen readers pass the
 * arrow keys to the map.
 */
const KEYBOARD_NAVIGATION = { tabIndex: 0, role: 'application' };

export type MapCanvasProps = {
  points: readonly MapPoint[];
  styles: PointStyles;
  labels: readonly Label[];
  /** For each point, 1 if it matches the search or 0 if not. Null if no search is active. */
  isHighlighted: Uint8Array | null;
  region: MapRegion | null;
  /** Id of the issue open in the panel. */
  selectedId: string | null;
  /** Returns the text displayed about a point: its theme or its score. */
  noteOf: (point: MapPoint) => string;
  onOpen: (issueId: string) => void;
  /**
   * Called when the region changes. If `replace` is true, the change adds no entry to the browser
   * history.
   */
  onRegion: (region: MapRegion | null, options?: { replace: boolean }) => void;
};

/**
 * Interactive map of points, for pointer and keyboard. Users can open points, select a region, move
 * the map and zoom.
 */
export function MapCanvas(props: MapCanvasProps) {
  const { points, styles, labels, isHighlighted, region, selectedId, noteOf, onOpen, onRegion } = props;
  const helpId = useId();
  const { scheme } = useTheme();
  const bounds = useMemo(
    () =>
      boundsOf(
        points.map(({ x }) => x),
        points.map(({ y }) => y),
      ),
    [points],
  );
  const order = useMemo(() => drawingOrder(styles, isHighlighted), [styles, isHighlighted]);
  const window = useMapWindow(bounds);
  const { view, size, zoom } = window;
  const radius = radiusOf(points.length, zoom);
  const [tool, setTool] = useState<Tool>('select');
  const [hovered, setHovered] = useState(-1);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  // Id of the issue at which the keyboard selection of a region started.
  const [anchorId, setAnchorId] = useState<string | null>(null);
  const indexOf = useMemo(() => new Map(points.map(({ issue_id: id }, index) => [id, index])), [points]);
  const at = (id: string | null) => (id === null ? -1 : (indexOf.get(id) ?? -1));
  const focused = points[at(focusedId)];
  const selected = points[at(selectedId)];
  const current = points[hovered] ?? focused;

  const choose = (chosen: MapRegion, options?: { replace: boolean }) => {
    // Ignore a region without issues, because it would empty the issue list.
    if (countInside(chosen, points) > 0) onRegion(chosen, options);
  };
  const { draft, moving, pointer } = useMapDrag({
    tool,
    move: window.move,
    zoomBy: window.zoomBy,
    onHover: (place, reach) => setHovered(place === null ? -1 : pointAt(points, view, place, reach)),
    onPress: (place, reach) => {
      const point = points[pointAt(points, view, place, reach)];
      if (point === undefined) return;
      setFocusedId(point.issue_id);
      onOpen(point.issue_id);
    },
    onBrush: ({ from, to }) => choose(regionFromDrag(view, from, to)),
  });
  const dragged = draft === null ? null : regionFromDrag(view, draft.from, draft.to);

  // When the user opens an issue in the list, move its point into view.
  const follow = useEffectEvent(() => {
    if (selected !== undefined) window.reveal(selected);
  });
  useEffect(() => {
    if (selectedId !== null) follow();
  }, [selectedId]);

  const step = (direction: Direction, isChoosing: boolean) => {
    const from = focused ?? selected;
    const middle = { x: (size?.width ?? 0) / 2, y: (size?.height ?? 0) / 2 };
    const next =
      from === undefined
        ? points[pointAt(points, view, middle, Number.POSITIVE_INFINITY)]
        : points[pointTowards(points, at(from.issue_id), direction)];
    if (next === undefined) return;
    setHovered(-1);
    setFocusedId(next.issue_id);
    window.reveal(next);
    if (!isChoosing) setAnchorId(null);
    else {
      const start = points[at(anchorId)] ?? from ?? next;
      setAnchorId(start.issue_id);
      choose(regionBetween(start, next), { replace: anchorId !== null });
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = ARROWS[event.key];
    if (direction !== undefined) step(direction, event.shiftKey);
    else if (event.key === 'Enter' && focused !== undefined) onOpen(focused.issue_id);
    else if (event.key === 'Delete' || event.key === 'Backspace') {
      setAnchorId(null);
      if (region !== null) onRegion(null);
    } else if (event.key === '+' || event.key === '=') window.zoomBy(ZOOM_STEP);
    else if (event.key === '-') window.zoomBy(1 / ZOOM_STEP);
    else if (event.key === '0') window.showAll();
    else return;
    event.preventDefault();
  };

  return (
    <div className={classes.frame}>
      <section
        ref={window.ref}
        className={classes.window}
        aria-label="Map of similar issues"
        aria-describedby={helpId}
        {...KEYBOARD_NAVIGATION}
        data-tool={tool}
        data-moving={moving || undefined}
        data-over={hovered >= 0 || undefined}
        onKeyDown={onKeyDown}
        onBlur={() => setAnchorId(null)}
        {...pointer}
      >
        {size === null ? null : (
          <PointsCanvas
            key={scheme}
            points={points}
            styles={styles}
            order={order}
            isHighlighted={isHighlighted}
            view={view}
            size={size}
            radius={radius}
          />
        )}
        {size === null ? null : (
          <MapOverlay
            points={points}
            view={view}
            size={size}
            radius={radius}
            labels={labels}
            region={region}
            draft={dragged && { region: dragged, count: countInside(dragged, points) }}
            selected={selected}
            current={current}
          />
        )}
        {current === undefined || size === null || draft !== null ? null : (
          <PointTip point={current} note={noteOf(current)} view={view} size={size} />
        )}
      </section>
      <p className="vh" id={helpId}>
        Arrow keys move between issues, and Enter opens the current issue. Shift with an arrow key selects a
        region, Delete removes it. Plus, minus and 0 zoom. The list below contains the same issues.
      </p>
      <p className="vh" role="status">
        {focused === undefined ? '' : `${focused.issue_key}: ${focused.issue_title}. ${noteOf(focused)}`}
      </p>
      <MapTools tool={tool} onTool={setTool} window={window} />
    </div>
  );
}
