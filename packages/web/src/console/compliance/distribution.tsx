import type { CompliancePrompt, ComplianceStats } from '@winnow/contract/compliance';
import type { StatusFilter } from '@winnow/contract/issue';
import { countText } from '../../ui/count-text.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { type ProjectTile, ProjectTiles } from '../issues/project-tiles/project-tiles.tsx';
import classes from './distribution.module.css';
import { useStatistics } from './queries.ts';
import { scoreText, tenthsText } from './score.ts';

type ProjectStats = ComplianceStats['projects'][number];

/** A bar for each tenth of the score, the highest as high as there is room; the same in words for who cannot see it. */
function Histogram({ tenths }: { tenths: readonly number[] }) {
  const most = Math.max(1, ...tenths);
  const bars = tenths.map((count, tenth) => ({ tenth, count }));
  const words = tenthsText(tenths);
  return (
    <span title={words}>
      <span className={classes.histogram}>
        {bars.map(({ tenth, count }) => (
          <span
            key={tenth}
            className={classes.tenth}
            data-empty={count === 0 || undefined}
            style={{ height: `${(count / most) * 100}%` }}
          />
        ))}
      </span>
      <span className={classes.ends} aria-hidden="true">
        <span>0%</span>
        <span>100%</span>
      </span>
      <span className="vh">{words}</span>
    </span>
  );
}

function tileOf({ project_id, project_name, total, evaluated, mean, tenths }: ProjectStats): ProjectTile {
  return {
    projectId: project_id,
    name: project_name,
    corner: mean === null ? '–' : `mean ${scoreText(mean)}`,
    value: (
      <>
        {countText(evaluated)} <small>of {countText(total)} scored</small>
      </>
    ),
    drawn: <Histogram tenths={tenths} />,
  };
}

/** `24 of 80 issues are scored, 62% on average.` */
function sentenceOf({ projects }: ComplianceStats): string {
  const total = projects.reduce((sum, project) => sum + project.total, 0);
  const evaluated = projects.reduce((sum, project) => sum + project.evaluated, 0);
  const points = projects.reduce((sum, project) => sum + (project.mean ?? 0) * project.evaluated, 0);
  const scored = `${countText(evaluated)} of ${countText(total)} issues scored`;
  return evaluated === 0 ? scored : `${scored}, ${scoreText(points / evaluated)} on average`;
}

export type DistributionProps = {
  /** Undefined while it is not known. */
  prompt: CompliancePrompt | undefined;
  status: StatusFilter;
  /** The segments of the projects in the filter. */
  chosen: readonly string[];
  /** Puts a project into the filter, or takes it out. */
  onToggle: (segment: string) => void;
};

/** How the issues of each project stand: a histogram of their scores with its numbers. A click filters by the project. */
export function Distribution({ prompt, status, chosen, onToggle }: DistributionProps) {
  const { data, error, refetch, isFetching } = useStatistics(prompt?.id ?? null, status);
  if (error !== null && data === undefined) {
    return (
      <ErrorState
        error={error}
        title="Scores per project could not be loaded"
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  if (data?.projects.length === 0) return null;
  return (
    <ProjectTiles
      title={`${prompt?.name ?? 'Scores'} per project`}
      about="Bars count issues by tenths of their score, from the left. Issues are scored as they are listed, page by page; the filter by status applies, the search makes no difference."
      sentence={data && sentenceOf(data)}
      loadingLabel="Loading scores per project"
      storageKey="compliance-chart-open"
      tiles={data?.projects.toSorted((one, other) => other.total - one.total).map(tileOf)}
      chosen={chosen}
      onToggle={onToggle}
    />
  );
}
