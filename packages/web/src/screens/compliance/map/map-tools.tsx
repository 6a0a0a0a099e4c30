import { ActionIcon, Tooltip } from '@mantine/core';
import {
  type Icon,
  IconArrowsMaximize,
  IconArrowsMove,
  IconMarquee2,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import classes from './map.module.css';
import type { Tool } from './use-map-drag.ts';
import type { MapWindow } from './use-map-window.ts';

/** Factor by which a zoom button or key changes the scale. */
export const ZOOM_STEP = 1.4;
const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const TOOLS: { tool: Tool; label: string; icon: Icon }[] = [
  { tool: 'select', label: 'Drag to choose a region', icon: IconMarquee2 },
  { tool: 'move', label: 'Drag to move the map', icon: IconArrowsMove },
];

export type MapToolsProps = { tool: Tool; onTool: (tool: Tool) => void; window: MapWindow };

/** Toolbar that selects the effect of dragging and zooms the map. */
export function MapTools({ tool, onTool, window }: MapToolsProps) {
  const zooms: [string, Icon, () => void][] = [
    ['Zoom in', IconZoomIn, () => window.zoomBy(ZOOM_STEP)],
    ['Zoom out', IconZoomOut, () => window.zoomBy(1 / ZOOM_STEP)],
    ['Show all', IconArrowsMaximize, window.showAll],
  ];
  return (
    <div className={classes.tools}>
      {TOOLS.map(({ tool: own, label, icon: Glyph }) => (
        <Tooltip label={label} key={own}>
          <ActionIcon
            variant={own === tool ? 'light' : 'default'}
            color={own === tool ? 'accent' : 'neutral'}
            aria-label={label}
            aria-pressed={own === tool}
            onClick={() => onTool(own)}
          >
            <Glyph {...ICON} />
          </ActionIcon>
        </Tooltip>
      ))}
      <span className={classes.gap} />
      {zooms.map(([label, Glyph, run]) => (
        <Tooltip label={label} key={label}>
          <ActionIcon variant="default" aria-label={label} onClick={run}>
            <Glyph {...ICON} />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}
