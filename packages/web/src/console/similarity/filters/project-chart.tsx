import { ActionIcon, Collapse, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp, IconInfoCircle } from '@tabler/icons-react';
import type { DuplicateStats } from '@winnow/contract/duplicate';
import type { StatusFilter } from '@winnow/contract/issue';
import { useState } from 'react';
import { Card } from '../../../ui/card.tsx';
import { countText } from '../../../ui/count-text.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { Loading, TextSkeleton } from '../../../ui/skeletons.tsx';
import { useProjectStatistics } from '../queries.ts';
import { projectSegment } from '../search-params.ts';
import { chartSentence } from './chart-words.ts';
import classes from './project-chart.module.css';

/** Projects shown before 'Show all'. */
const SHOWN = 5;
const SKELETONS = ['one', 'two', 'three'];

type ProjectStats = DuplicateStats['projects'][number];

function shareOf({ duplicates, total }: ProjectStats): number {
  return total === 0 ? 0 : duplicates / total;
}

function ProjectBar(props: { project: ProjectStats; pressed: boolean; onClick: () => void }) {
  const { project, pressed, onClick } = props;
  const share = shareOf(project);
  return (
    <button type="button" className={classes.project} aria-pressed={pressed} onClick={onClick}>
      <span className={classes.name}>
        <span className="trunc" title={project.project_name}>
          {project.project_name}
        </span>
        <span className={classes.share}>{(share * 100).toFixed(1)}%</span>
      </span>
      <span className={classes.value}>
        {countText(project.duplicates)} <small>of {countText(project.total)}</small>
      </span>
      <span className={classes.bar}>
        <Meter value={share} />
      </span>
    </button>
  );
}

function Bars(props: {
  projects: readonly ProjectStats[];
  chosen: readonly string[];
  onToggle: (segment: string) => void;
}) {
  const [all, setAll] = useState(false);
  const shown = all ? props.projects : props.projects.slice(0, SHOWN);
  return (
    <>
      <div className={classes.projects} data-columns={Math.min(SHOWN, shown.length)}>
        {shown.map((project) => {
          const segment = projectSegment(project.project_id);
          return (
            <ProjectBar
              key={project.project_id}
              project={project}
              pressed={props.chosen.includes(segment)}
              onClick={() => props.onToggle(segment)}
            />
          );
        })}
      </div>
      {props.projects.length > SHOWN ? (
        <button type="button" className={classes.all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer projects' : `Show all ${props.projects.length} projects`}
        </button>
      ) : null}
    </>
  );
}

export type ProjectChartProps = {
  status: StatusFilter;
  /** The segments of the projects in the filter. */
  chosen: readonly string[];
  /** Puts a project into the filter, or takes it out. */
  onToggle: (segment: string) => void;
};

/** How many issues of each project have a similar one: numbers with bars. A click filters by the project. */
export function ProjectChart({ status, chosen, onToggle }: ProjectChartProps) {
  const [open, setOpen] = useLocalStorage({
    key: 'similarity-chart-open',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const { data, error, refetch, isFetching } = useProjectStatistics(status);
  if (error !== null && data === undefined) {
    return <ErrorState error={error} title="Error:" onRetry={() => void refetch()} retrying={isFetching} />;
  }
  if (data?.projects.length === 0) return null;
  const projects = data?.projects.toSorted((one, other) => other.duplicates - one.duplicates) ?? [];
  const Chevron = open ? IconChevronUp : IconChevronDown;
  return (
    <Card
      title="Similar issues per project"
      beside={
        <Tooltip
          multiline
          label="The filters by status and project apply. Pairs of two projects count too, whichever scope the list has; the search and the filter by resolution make no difference."
          events={{ hover: true, focus: true, touch: true }}
        >
          <ActionIcon aria-label="What is counted" size={24}>
            <IconInfoCircle size={16} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
      }
      actions={
        <ActionIcon
          aria-label={open ? 'Hide the chart' : 'Show the chart'}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Chevron size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      }
    >
      <div className={classes.counted}>
        {data === undefined ? (
          <TextSkeleton width="60%" height={16} />
        ) : (
          chartSentence(data, { status, chosen })
        )}
      </div>
      <Collapse expanded={open}>
        {data === undefined ? (
          <Loading label="Loading similar issues per project">
            <div className={classes.projects} data-columns={SKELETONS.length}>
              {SKELETONS.map((name) => (
                <div className={classes.project} key={name}>
                  <TextSkeleton width="60%" height={16} />
                  <TextSkeleton width="40%" height={20} />
                  <TextSkeleton width="100%" height={4} />
                </div>
              ))}
            </div>
          </Loading>
        ) : (
          <Bars projects={projects} chosen={chosen} onToggle={onToggle} />
        )}
      </Collapse>
    </Card>
  );
}
