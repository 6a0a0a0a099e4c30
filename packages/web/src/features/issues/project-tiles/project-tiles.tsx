import { ActionIcon, Collapse, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Card } from '../../../ui/card.tsx';
import { Loading, TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { projectSegment } from '../project-segment.ts';
import { TrackerMark } from '../tracker-mark.tsx';
import classes from './project-tiles.module.css';

/** Projects shown before 'Show all'. */
const SHOWN = 5;
const SKELETONS = ['one', 'two', 'three'];

/** What is shown of a project: a number in the corner, what is counted, and the same drawn. */
export type ProjectTile = {
  projectId: string;
  name: string;
  corner: ReactNode;
  value: ReactNode;
  drawn: ReactNode;
  /** What can be done with the project, under the rest. */
  foot?: ReactNode;
};

type TilesProps = {
  /** Undefined while loading. */
  tiles: readonly ProjectTile[] | undefined;
  /** The segments of the projects in the filter. */
  chosen: readonly string[];
  /** Puts a project into the filter, or takes it out. */
  onToggle: (segment: string) => void;
};

function Tiles({ tiles = [], chosen, onToggle }: TilesProps) {
  const [all, setAll] = useState(false);
  const shown = all ? tiles : tiles.slice(0, SHOWN);
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
      {tiles.length > SHOWN ? (
        <button type="button" className={classes.all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer projects' : `Show all ${tiles.length} projects`}
        </button>
      ) : null}
    </>
  );
}

export type ProjectTilesProps = TilesProps & {
  title: string;
  /** What is counted, and what makes no difference to it. */
  about: string;
  /** The whole in a sentence; undefined while loading. */
  sentence: string | undefined;
  loadingLabel: string;
  /** Where it is remembered in `localStorage` whether the tiles are shown. */
  storageKey: string;
  /** What can be done with all of them. */
  actions?: ReactNode;
};

/** Projects side by side, each with its number and that drawn. A click filters by the project. */
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
