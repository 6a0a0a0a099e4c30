import {
  type CompliancePrompt,
  type ComplianceStats,
  MAX_SCORED_PROJECTS,
} from '@winnow/contract/compliance';
import type { StatusFilter } from '@winnow/contract/issue';
import { meaningOf, scoreText, tenthsText } from '../../features/compliance/score.ts';
import { projectSegment } from '../../features/issues/project-segment.ts';
import { type ProjectTile, ProjectTiles } from '../../features/issues/project-tiles/project-tiles.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { countText } from '../../ui/texts/count-text.ts';
import classes from './distribution.module.css';
import { useStatistics } from './queries.ts';
import { ScoreProject } from './scoring/score-project.tsx';
import { ScoreShown } from './scoring/score-shown.tsx';
import { progressText } from './scoring/scoring-texts.ts';
import { type Scoring, useScoring } from './scoring/use-scoring.ts';

type ProjectStats = ComplianceStats['projects'][number];

/**
 * Histogram of scores. Each bar represents one tenth of the score range. Its height shows the
 * number of issues, relative to the highest bar. Screen readers read the numbers as text.
 */
function Histogram({ tenths }: { tenths: readonly number[] }) {
  const maxCount = Math.max(1, ...tenths);
  const bars = tenths.map((count, tenth) => ({ tenth, count }));
  const summary = tenthsText(tenths);
  return (
    <span title={summary}>
      <span className={classes.histogram}>
        {bars.map(({ tenth, count }) => (
          <span
            key={tenth}
            className={classes.tenth}
            data-empty={count === 0 || undefined}
            style={{ height: `${(count / maxCount) * 100}%` }}
          />
        ))}
      </span>
      <span className={classes.ends} aria-hidden="true">
        <span>0%</span>
        <span>100%</span>
      </span>
      <span className="vh">{summary}</span>
    </span>
  );
}

function tileOf(
  { project_id, project_name, total, evaluated, evaluated_by_model, mean, tenths }: ProjectStats,
  scoring: Scoring,
): ProjectTile {
  return {
    projectId: project_id,
    name: project_name,
    corner: mean === null ? '–' : `mean ${scoreText(mean)}`,
    value: (
      <>
        {countText(evaluated)} <small>of {countText(total)} scored</small>
        {evaluated_by_model === null ? null : <small> ({countText(evaluated_by_model)} by the model)</small>}
      </>
    ),
    drawn: <Histogram tenths={tenths} />,
    foot: (
      <ScoreProject
        projectId={project_id}
        name={project_name}
        unscored={total - (evaluated_by_model ?? evaluated)}
        scoring={scoring}
      />
    ),
  };
}

/**
 * Summarizes the tiles in a sentence: `24 of 80 issues scored, 62% on average`. If needed, adds the
 * scoring progress and what a score of 100% means.
 */
function summaryText({ projects }: ComplianceStats, { running }: Scoring, meaning: string | null): string {
  const total = projects.reduce((sum, project) => sum + project.total, 0);
  const evaluated = projects.reduce((sum, project) => sum + project.evaluated, 0);
  const notEvaluable = projects.reduce((sum, project) => sum + project.not_evaluable, 0);
  const points = projects.reduce(
    (sum, { mean, evaluated: judged, not_evaluable }) => sum + (mean ?? 0) * (judged - not_evaluable),
    0,
  );
  const scored = `${countText(evaluated)} of ${countText(total)} issues scored`;
  const byModel = projects.some(({ evaluated_by_model: count }) => count !== null)
    ? `${countText(projects.reduce((sum, project) => sum + (project.evaluated_by_model ?? 0), 0))} of them by your language model`
    : null;
  const mean =
    evaluated === notEvaluable ? null : `${scoreText(points / (evaluated - notEvaluable))} on average`;
  const counts = [
    scored,
    byModel,
    mean,
    notEvaluable === 0 ? null : `${countText(notEvaluable)} could not be evaluated`,
  ]
    .filter((part) => part !== null)
    .join(', ');
  return [counts, running.length === 0 ? null : progressText(running), meaning]
    .filter((part) => part !== null)
    .join('. ');
}

export type DistributionProps = {
  /** The selected prompt; undefined while prompts are loading. */
  prompt: CompliancePrompt | undefined;
  status: StatusFilter;
  /** Projects in the filter, by the first segments of their ids. */
  chosen: readonly string[];
  /** Adds a project to the filter or removes it. */
  onToggle: (segment: string) => void;
};

/**
 * Tiles with the score histogram of each project. Clicking a tile filters the issue list by its
 * project.
 */
export function Distribution({ prompt, status, chosen, onToggle }: DistributionProps) {
  const { data, error, refetch, isFetching } = useStatistics(prompt?.id ?? null, status);
  const scoring = useScoring(prompt?.id ?? null, status);
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
  const shown = data?.projects
    .filter(({ project_id }) => chosen.length === 0 || chosen.includes(projectSegment(project_id)))
    .map(({ project_id }) => project_id);
  return (
    <ProjectTiles
      title={`${prompt?.name ?? 'Scores'} per project`}
      about="Bars show how many issues score 0–10%, 10–20% and so on. Issues are scored page by page when they are listed, or all together with Score all. A language model scores up to 20 listed issues and pairs an hour, each issue that you open, and every issue with Score all. Until then, the scores of the built-in analyst count. The status filter applies; the search does not. Issues that could not be evaluated are left out of the bars and the mean."
      sentence={data && summaryText(data, scoring, meaningOf(prompt?.id))}
      loadingLabel="Loading scores per project"
      storageKey="compliance-chart-open"
      tiles={data?.projects
        .toSorted((one, other) => other.total - one.total)
        .map((project) => tileOf(project, scoring))}
      actions={<ScoreShown projectIds={shown?.slice(0, MAX_SCORED_PROJECTS) ?? []} scoring={scoring} />}
      chosen={chosen}
      onToggle={onToggle}
    />
  );
}
