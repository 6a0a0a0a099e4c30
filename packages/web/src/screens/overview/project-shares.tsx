import { ActionIcon, Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { projectSegment } from '../../features/issues/project-segment.ts';
import { TrackerMark } from '../../features/issues/tracker-mark.tsx';
import { SEARCH_DEFAULTS, serializeSearch } from '../../features/pairs/pair-search.ts';
import { useMark } from '../../features/pairs/queries.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../ui/states/skeletons.tsx';
import { Donut } from './donut.tsx';
import { chartPercent, countText, type ProjectShare, wholePercent } from './numbers.ts';
import classes from './project-shares.module.css';
import { usePendingText, useProjectShares } from './queries.ts';

function Share({ project }: { project: ProjectShare }) {
  return (
    <li>
      <Link
        className={classes.share ?? ''}
        to={`/console/issues?${serializeSearch({ ...SEARCH_DEFAULTS, projects: [projectSegment(project.id)] })}`}
      >
        <Donut share={project.share}>{chartPercent(project.share)}</Donut>
        <span className={classes.words}>
          <Tooltip label={project.name} openDelay={400}>
            <b className={classes.name}>{project.name}</b>
          </Tooltip>
          <TrackerMark projectId={project.id} />
          <span className={classes.count} data-series="similar">
            <i>{countText(project.similar)}</i> similar
          </span>
          <span className={classes.count} data-series="unique">
            <i>{countText(project.unique)}</i> unique
          </span>
        </span>
      </Link>
    </li>
  );
}

function SharesSkeleton() {
  return (
    <Loading label="Loading projects">
      <div className={classes.list}>
        {['first', 'second', 'third', 'fourth', 'fifth'].map((place) => (
          <div className={classes.share} key={place}>
            <span className={classes.ring} />
            <span className={classes.words}>
              <TextSkeleton width={56} />
              <TextSkeleton width={72} />
            </span>
          </div>
        ))}
      </div>
    </Loading>
  );
}

/**
 * Share of issues that have a similar issue, by project. Shows the five projects with the most
 * similar issues.
 */
export function ProjectShares() {
  const shares = useProjectShares();
  const pending = usePendingText();
  const threshold = wholePercent(useMark());
  const explanation = `Counts open issues that are in at least one undecided pair with a probability of ${threshold} or more.`;
  return (
    <Card
      title="Similar Issues per Project"
      beside={
        <Tooltip label={explanation}>
          <ActionIcon aria-label={explanation}>
            <IconInfoCircle size={14} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      }
      actions={<span className={classes.threshold}>{threshold} or more</span>}
    >
      {shares.data === undefined ? (
        shares.isError ? (
          <div className={classes.inset}>
            <ErrorState
              error={shares.error}
              title="Error:"
              onRetry={() => void shares.refetch()}
              retrying={shares.isFetching}
            />
          </div>
        ) : (
          <SharesSkeleton />
        )
      ) : shares.data.length === 0 ? (
        <p className={classes.none}>{pending ?? 'No project has open issues in an undecided pair.'}</p>
      ) : (
        <ul className={classes.list}>
          {shares.data.map((project) => (
            <Share key={project.id} project={project} />
          ))}
        </ul>
      )}
    </Card>
  );
}
