import type { DuplicateStats } from '@winnow/contract/duplicate';
import type { StatusFilter } from '@winnow/contract/issue';
import { countText } from '../../../ui/count-text.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { type ProjectTile, ProjectTiles } from '../../issues/project-tiles/project-tiles.tsx';
import { useProjectStatistics } from '../queries.ts';
import { chartSentence } from './chart-words.ts';

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
  status: StatusFilter;
  /** The segments of the projects in the filter. */
  chosen: readonly string[];
  /** Puts a project into the filter, or takes it out. */
  onToggle: (segment: string) => void;
};

/** How many issues of each project have a similar one: numbers with bars. A click filters by the project. */
export function ProjectChart({ status, chosen, onToggle }: ProjectChartProps) {
  const { data, error, refetch, isFetching } = useProjectStatistics(status);
  if (error !== null && data === undefined) {
    return <ErrorState error={error} title="Error:" onRetry={() => void refetch()} retrying={isFetching} />;
  }
  if (data?.projects.length === 0) return null;
  return (
    <ProjectTiles
      title="Similar issues per project"
      about="The filters by status and project apply. Pairs of two projects count too, whichever scope the list has; the search and the filter by resolution make no difference."
      sentence={data && chartSentence(data, { status, chosen })}
      loadingLabel="Loading similar issues per project"
      storageKey="similarity-chart-open"
      tiles={data?.projects.toSorted((one, other) => other.duplicates - one.duplicates).map(tileOf)}
      chosen={chosen}
      onToggle={onToggle}
    />
  );
}
