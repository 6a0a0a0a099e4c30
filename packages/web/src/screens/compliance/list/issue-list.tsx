import type { UseQueryResult } from '@tanstack/react-query';
import type { Issue } from '@winnow/contract/issue';
import type { Highlight } from '@winnow/contract/search';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { type EmptyReason, emptyReason } from '../../../features/issues/empty-reason.ts';
import { ISSUES_PER_PAGE, type IssuePage } from '../../../features/issues/issue-search.ts';
import { useProjects } from '../../../features/issues/queries.ts';
import { RowKey } from '../../../features/issues/row-key.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { useTrackers } from '../../../features/trackers/tracker-list.ts';
import type { ScreenNavigation } from '../../../ui/address/use-screen-search.ts';
import { cappedText, DataList, listStateOf } from '../../../ui/data-list/data-list.tsx';
import { type Column, RowTitle } from '../../../ui/data-list/data-table.tsx';
import frame from '../../../ui/data-list/list-frame.module.css';
import type { ListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { WorkLine } from '../../../ui/states/work-line.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import { ImproveButton } from '../improve-button.tsx';
import { type ComplianceSearch, isFiltered, withoutFilters } from '../search-params.ts';
import { improveRefusal, scoredCount } from '../shown-score.ts';
import type { PageScores } from '../use-page-scores.ts';
import { EmptyIssues } from './empty-issues.tsx';
import classes from './issue-table.module.css';
import { MatchedLine, MatchedTitle } from './matched-texts.tsx';
import { RowMenu } from './row-menu.tsx';
import { ScoreCell } from './score-cell.tsx';

const NO_HIGHLIGHTS: readonly Highlight[] = [];

export type IssueListProps = {
  list: UseQueryResult<IssuePage>;
  scores: PageScores;
  metric: string;
  /** Text that states what a score of 100% means. Null if a higher score is simply better. */
  meaning: string | null;
  /** Short form of `meaning`, displayed below the column heading. */
  shortMeaning: string | null;
  navigation: ScreenNavigation<ComplianceSearch>;
  walk: ListWalk;
  onEnter: (issue: Issue) => void;
  onImprove: (issue: Issue) => void;
};

function useEmptyReason(total: number): EmptyReason {
  const { data: projects } = useProjects();
  const { data: trackers = [] } = useTrackers();
  const isReading = trackers.some(({ sync }) => sync.state === 'running' || sync.state === 'queued');
  return emptyReason({ total, projects: projects?.length, working: isReading });
}

/** Scoring progress of the issues on this page. Renders nothing once all are scored. */
function ScoreProgress({ page, scores }: { page: IssuePage; scores: PageScores }) {
  const total = page.issues.length;
  const scored = scoredCount(page.issues.map(({ id }) => scores.scoreOf(id)));
  if (!scores.pending || scored === total) return null;
  return <WorkLine label="Scoring" count={`${scored} of ${total} scored`} share={scored / total} />;
}

function projectOf({ project }: Issue): string {
  return project.name === '' ? 'N/A' : project.name;
}

function Actions({
  issue,
  scores,
  onImprove,
}: { issue: Issue } & Pick<IssueListProps, 'scores' | 'onImprove'>) {
  const refusal = improveRefusal(scores.scoreOf(issue.id));
  const improve = () => onImprove(issue);
  return (
    <>
      <ImproveButton size="xs" refusal={refusal} onClick={improve}>
        Improve
      </ImproveButton>
      <RowMenu issue={issue} refusal={refusal} onImprove={improve} />
    </>
  );
}

/**
 * Returns the six columns of the table. In narrow lists, CSS arranges each row in two lines, and on
 * phones in three.
 */
function columnsOf(props: IssueListProps): Column<Issue>[] {
  const { list, scores, metric, meaning, shortMeaning, navigation, onImprove } = props;
  const { search, hrefFor } = navigation;
  return [
    { id: 'key', head: 'ID', className: classes.key, cell: ({ key }) => <RowKey>{key}</RowKey> },
    {
      id: 'name',
      head: 'Title',
      className: classes.name,
      cell: (issue, { replace }) => {
        const highlights = list.data?.found[issue.id] ?? NO_HIGHLIGHTS;
        return (
          <>
            <RowTitle
              className={classes.title}
              to={hrefFor({ ...search, selectedIssue: issue.id })}
              title={issue.title}
              replace={replace}
            >
              <MatchedTitle issue={issue} highlights={highlights} />
            </RowTitle>
            <MatchedLine issue={issue} highlights={highlights} />
          </>
        );
      },
    },
    {
      id: 'project',
      head: 'Project',
      className: classes.project,
      cell: (issue) => (
        <>
          {projectOf(issue)} <TrackerMark projectId={issue.project_id} />
        </>
      ),
      cellClassName: 'trunc',
      cellTitle: projectOf,
    },
    {
      id: 'status',
      head: 'Status',
      className: classes.status,
      cell: ({ status }) => (
        <>
          <StatusIcon status={status} />
          <span className="trunc" title={status} aria-hidden="true">
            {status}
          </span>
        </>
      ),
    },
    {
      id: 'score',
      head: (
        <>
          {metric}
          {shortMeaning === null ? null : <span className={classes.meaning}>{shortMeaning}</span>}
        </>
      ),
      headTitle: meaning === null ? metric : `${metric}: ${meaning}`,
      headClassName: 'trunc',
      className: classes.score,
      cell: ({ id }) => <ScoreCell score={scores.scoreOf(id)} />,
    },
    {
      id: 'actions',
      head: 'Actions',
      className: classes.actions,
      cell: (issue) => <Actions issue={issue} scores={scores} onImprove={onImprove} />,
    },
  ];
}

/** Table of issues with their scores. */
export function IssueList(props: IssueListProps) {
  const { list, scores, navigation, walk, onEnter } = props;
  const { search, go, hrefFor } = navigation;
  const { data: page } = list;
  const total = page?.total ?? 0;
  const reason = useEmptyReason(total);
  const pageHref = (target: number) => hrefFor({ ...search, page: target, selectedIssue: null });
  return (
    <DataList
      list={listStateOf(list, ({ issues }) => issues)}
      label="Issues"
      loadingLabel="Loading issues"
      failedTitle="Failed to load issues."
      skeletonRows={ISSUES_PER_PAGE}
      columns={columnsOf(props)}
      classes={classes}
      walk={walk}
      selectedId={search.selectedIssue}
      onOpen={({ id }) => walk.open(id)}
      onEnter={onEnter}
      empty={
        <EmptyIssues
          reason={reason}
          filtered={isFiltered(search)}
          lastPageHref={pageHref(Math.max(1, Math.ceil(total / ISSUES_PER_PAGE)))}
          onClearAll={() => go(withoutFilters(search))}
        />
      }
      above={
        <>
          {page === undefined || page.notice === null ? null : (
            <p className={classes.notice}>{page.notice}</p>
          )}
          {scores.error === null ? null : (
            <div className={frame.failed}>
              <ErrorState
                error={scores.error}
                title="Scores could not be loaded"
                onRetry={scores.retry}
                retrying={scores.retrying}
              />
            </div>
          )}
        </>
      }
      below={page === undefined ? null : <ScoreProgress page={page} scores={scores} />}
      cappedNote={
        page?.capped === true
          ? `More than ${countText(total)} issues match. The first ${countText(total)} are listed. Use the search and filters to narrow them down.`
          : undefined
      }
      pager={{
        page: search.page,
        pageSize: ISSUES_PER_PAGE,
        total,
        totalText: cappedText(total, page?.capped ?? false),
        hrefFor: pageHref,
      }}
    />
  );
}
