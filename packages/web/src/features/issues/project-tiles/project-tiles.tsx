import { ActionIcon, Collapse, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Card } from '../../../ui/card.tsx';
import { Loading, TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { projectSegment } from '../project-segment.ts';
import { TrackerMark } from '../tracker-mark.tsx';
import classes from './project-tiles.module.css';

/** Maximum number of projects displayed until the user clicks "Show all". */
const PROJECTS_COLLAPSED = 5;
const SKELETONS = ['one', 'two', 'three'];

/** Contents of a project tile: a number in the corner, the main value, and a chart. */
export type ProjectTile = {
  projectId: string;
  name: string;
  corner: ReactNode;
  value: ReactNode;
  drawn: ReactNode;
  /** Buttons for the project, displayed below the tile. */
  foot?: ReactNode;
};

type TilesProps = {
  /** Tiles to display; undefined while loading. */
  tiles: readonly ProjectTile[] | undefined;
  /** Projects in the filter, by the first segments of their ids. */
  chosen: readonly string[];
  /** Adds a project to the filter, or removes it. */
  onToggle: (segment: string) => void;
};

function Tiles({ tiles = [], chosen, onToggle }: TilesProps) {
  const [all, setAll] = useState(false);
  const shown = all ? tiles : tiles.slice(0, PROJECTS_COLLAPSED);
  return (
    <>
      <div className={classes.projects}>
        {shown.map(({ projectId, name, corner, value, drawn, foot }) => {
          const segment = projectSegment(projectId);
          return (
            <div key={projectId} className={classes.tile}>
              <button
                type="button"
                className={classes.project}
                aria-pressed={chosen.includes(segment)}
                onClick={() => onToggle(segment)}
              >
                <span className={classes.name}>
                  <span className={classes.label} title={name}>
                    {name}
                  </span>
                  <span className={classes.share}>{corner}</span>
                </span>
                <TrackerMark projectId={projectId} />
                <span className={classes.value}>{value}</span>
                <span className={classes.bar}>{drawn}</span>
              </button>
              {foot}
            </div>
          );
        })}
      </div>
      {tiles.length > PROJECTS_COLLAPSED ? (
        <button type="button" className={classes.all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer projects' : `Show all ${tiles.length} projects`}
        </button>
      ) : null}
    </>
  );
}

export type ProjectTilesProps = TilesProps & {
  title: string;
  /** Text that explains what the tiles count and which filters affect them. */
  about: string;
  /** Sentence that summarizes the tiles; undefined while loading. */
  sentence: string | undefined;
  loadingLabel: string;
  /** Key in `localStorage` that stores whether the tiles are expanded. */
  storageKey: string;
  /** Buttons that apply to all projects. */
  actions?: ReactNode;
};

/**
 * Project tiles, each with a number and a chart. Clicking a tile filters the list by its project.
 */
export function ProjectTiles({
  title,
  about,
  sentence,
  loadingLabel,
  storageKey,
  actions,
  ...tiles
}: ProjectTilesProps) {
  const [open, setOpen] = useLocalStorage({
    key: storageKey,
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const Chevron = open ? IconChevronUp : IconChevronDown;
  return (
    <Card
      title={title}
      beside={
        <Tooltip multiline label={about} events={{ hover: true, focus: true, touch: true }}>
          <ActionIcon aria-label="What is counted" size={24}>
            <IconInfoCircle size={16} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
      }
      actions={
        <>
          {actions}
          <ActionIcon
            aria-label={open ? 'Hide the chart' : 'Show the chart'}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <Chevron size={16} stroke={1.75} aria-hidden />
          </ActionIcon>
        </>
      }
    >
      <div className={classes.counted}>{sentence ?? <TextSkeleton width="60%" height={16} />}</div>
      <Collapse expanded={open}>
        {tiles.tiles === undefined ? (
          <Loading label={loadingLabel}>
            <div className={classes.projects}>
              {SKELETONS.map((name) => (
                <div className={classes.tile} key={name}>
                  <div className={classes.project}>
                    <TextSkeleton width="60%" height={16} />
                    <TextSkeleton width="40%" height={20} />
                    <TextSkeleton width="100%" height={4} />
                  </div>
                </div>
              ))}
            </div>
          </Loading>
        ) : (
          <Tiles {...tiles} />
        )}
      </Collapse>
    </Card>
  );
}
