import type { DuplicateStats, PairScope } from '@winnow/contract/duplicate';
import { Link } from 'react-router';
import { type ProjectTile, ProjectTiles } from '../../../features/issues/project-tiles/project-tiles.tsx';
import type { PairStatus } from '../../../features/pairs/pair-search.ts';
import { Meter } from '../../../theme/parts/meter.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import { useProjectStatistics } from '../queries.ts';
import { chartSentence } from './chart-texts.ts';
import classes from './filter-bar.module.css';

type ProjectStats = DuplicateStats['projects'][number];

function tileOf({ project_id, project_name, duplicates, total }: ProjectStats): ProjectTile {
  const share = total === 0 ? 0 : duplicates / total;
  return {
    projectId: project_id,
    name: project_name,
    corner: `${(share * 100).toFixed(1)}%`,
    value: (
      <>
        {countText(duplicates)} <small>of {countText(total)}</small>
      </>
    ),
    drawn: <Meter value={share} />,
  };
}

export type ProjectChartProps = {
  status: PairStatus;
  scope: PairScope;
  /** Projects in the filter, by the first segments of their ids. */
  chosen: readonly string[];
  /** Adds a project to the filter, or removes it. */
  onToggle: (segment: string) => void;
};

/**
 * Chart of the number of issues with a similar issue, by project. Clicking a project filters the
 * list by this project.
 */
export function ProjectChart({ status, scope, chosen, onToggle }: ProjectChartProps) {
  const { data, error, refetch, isFetching } = useProjectStatistics(status, scope);
  if (error !== null && data === undefined) {
    return <ErrorState error={error} title="Error:" onRetry={() => void refetch()} retrying={isFetching} />;
  }
  if (data?.projects.length === 0) return null;
  return (
    <ProjectTiles
      title="Similar issues per project"
      about="Follows the status filter and the scope. Click a project to list its unresolved pairs."
      sentence={data && chartSentence(data, { status, scope, chosen })}
      loadingLabel="Loading similar issues per project"
      actions={
        <Link className={`link ${classes.byIssue}`} to="/console/issues/duplicates">
          List by issue
        </Link>
      }
      storageKey="similarity-chart-open"
      tiles={data?.projects.toSorted((one, other) => other.duplicates - one.duplicates).map(tileOf)}
      chosen={chosen}
      onToggle={onToggle}
    />
  );
}
