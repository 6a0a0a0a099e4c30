import { Checkbox } from '@mantine/core';
import { IconEye, IconEyeOff, IconGitMerge, IconStack2 } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Change } from '@winnow/contract/change';
import {
  type IssueSeries,
  PAIRS_COUNTED,
  type PairList as Page,
  type Pair,
} from '@winnow/contract/duplicate';
import type { IssueSummary } from '@winnow/contract/issue';
import { Link } from 'react-router';
import { changeAddress } from '../../../features/changes/change-search.ts';
import { titleOf } from '../../../features/changes/change-texts.ts';
import { StatusBadge } from '../../../features/changes/status-badge.tsx';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { emptyReason } from '../../../features/issues/empty-reason.ts';
import { keyBeside } from '../../../features/issues/namesakes.ts';
import { useProjects } from '../../../features/issues/queries.ts';
import { RowKey } from '../../../features/issues/row-key.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import {
  PAGE_SIZE,
  SEARCH_DEFAULTS,
  type SimilaritySearch,
  serializeSearch,
  withoutFilters,
} from '../../../features/pairs/pair-search.ts';
import {
  DISMISSAL_LABELS,
  pairsText,
  probabilityText,
  similarityText,
} from '../../../features/pairs/pair-texts.ts';
import { type ShownVerdict, useVerdicts } from '../../../features/verdicts/queries.ts';
import { Meter } from '../../../theme/parts/meter.tsx';
import type { ScreenNavigation } from '../../../ui/address/use-screen-search.ts';
import { DataList, listStateOf } from '../../../ui/data-list/data-list.tsx';
import { type Column, RowTitle } from '../../../ui/data-list/data-table.tsx';
import { RowAction } from '../../../ui/data-list/row-action.tsx';
import type { ListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { countText } from '../../../ui/texts/count-text.ts';
import { isSelectable } from '../bulk/selection.ts';
import type { Selection } from '../bulk/use-selection.ts';
import { useProposals } from '../queries.ts';
import type { Work } from '../use-work.ts';
import { EmptyList } from './empty-list.tsx';
import { PairBadge } from './pair-badge.tsx';
import classes from './pair-table.module.css';
import { PairWork } from './pair-work.tsx';

/** Actions of a row other than opening the pair. */
type RowActions = {
  onResolve: (pair: Pair) => void;
  onDismiss: (pair: Pair) => void;
  onRestore: (pair: Pair) => void;
};

export type PairListProps = RowActions & {
  list: UseQueryResult<Page>;
  navigation: ScreenNavigation<SimilaritySearch>;
  walk: ListWalk;
  work: Work;
  selection: Selection;
  onEnter: (pair: Pair) => void;
};

const NO_PAIRS: readonly Pair[] = [];

function isFiltered(search: SimilaritySearch): boolean {
  const shown = { ...search, page: SEARCH_DEFAULTS.page, selectedPair: null };
  return serializeSearch(shown).toString() !== serializeSearch(withoutFilters(search)).toString();
}

function SelectBox({ pair, selection }: { pair: Pair; selection: Selection }) {
  if (!isSelectable(pair)) return null;
  return (
    <Checkbox
      aria-label={`Select ${keyBeside(pair.issue1, pair.issue2)} and ${keyBeside(pair.issue2, pair.issue1)}`}
      checked={selection.has(pair.id)}
      // Prevent the browser from selecting text when the user selects a range of pairs with Shift.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onChange={({ nativeEvent }) =>
        selection.toggle(pair, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  );
}

function Actions({ pair, onResolve, onDismiss, onRestore }: RowActions & { pair: Pair }) {
  const labels = DISMISSAL_LABELS[pair.series === null ? 'pair' : 'series'];
  if (pair.dismissed) {
    return <RowAction label={labels.restore} icon={IconEye} onClick={() => onRestore(pair)} />;
  }
  if (pair.resolution !== null) return null;
  return (
    <>
      <RowAction label="Resolve" icon={IconGitMerge} onClick={() => onResolve(pair)} />
      <RowAction label={labels.dismiss} icon={IconEyeOff} onClick={() => onDismiss(pair)} />
    </>
  );
}

/**
 * Name of the series that a row represents: its title pattern, number of issues, and umbrella
 * issue.
 */
function SeriesName({ series: { frame, issues, umbrella_key } }: { series: IssueSeries }) {
  const name = umbrella_key === null ? frame : `${frame} (${umbrella_key})`;
  return (
    <span className={classes.series} title={name} dir="auto">
      <IconStack2 size={14} stroke={1.75} aria-hidden />
      <span>
        {`Series of ${issues}: `}
        {name}
      </span>
    </span>
  );
}

/** Badge of an open proposal. Without a proposal, badge of the decision or verdict on the pair. */
function Review(props: { pair: Pair; verdict: ShownVerdict; proposal: Change | undefined }) {
  const { pair, verdict, proposal } = props;
  if (proposal === undefined || pair.resolution !== null) return <PairBadge pair={pair} verdict={verdict} />;
  return (
    <Link to={changeAddress(proposal.id)} title={titleOf(proposal)} tabIndex={-1}>
      <StatusBadge status="proposed" />
    </Link>
  );
}

function issueColumn(
  id: 'first' | 'second',
  head: string,
  issueOf: (pair: Pair) => IssueSummary,
  hrefOf: (pair: Pair) => string,
): Column<Pair> {
  return {
    id,
    head,
    className: classes[id],
    cell: (pair, { replace }) => {
      const issue = issueOf(pair);
      return (
        <>
          <StatusIcon status={issue.status} />
          <span className={classes.keyLine}>
            <RowKey>{issue.key}</RowKey>
            {id === 'first' && pair.series !== null ? <SeriesName series={pair.series} /> : null}
          </span>
          <span className={classes.named}>
            <TrackerMark projectId={issue.project_id} />
            <RowTitle className={classes.title} to={hrefOf(pair)} title={issue.title} replace={replace} />
          </span>
        </>
      );
    },
  };
}

function rowClassName({ resolution, series }: Pair): string | undefined {
  if (resolution !== null) return classes.resolved;
  return series === null ? undefined : classes.ofSeries;
}

type Columns = RowActions & {
  selection: Selection;
  hrefOf: (pair: Pair) => string;
  verdictOn: (pair: Pair) => ShownVerdict;
  proposalOn: (pair: Pair) => Change | undefined;
};

/**
 * Returns the columns: both issues, probability, and decision. In a narrow list, the issues are
 * stacked. From 860 px, they are side by side.
 */
function columnsOf(pairs: readonly Pair[], columns: Columns): Column<Pair>[] {
  const { selection, hrefOf, verdictOn, proposalOn, ...actions } = columns;
  return [
    {
      id: 'select',
      head: (
        <Checkbox
          aria-label="Select all pairs on this page"
          checked={selection.page === 'all'}
          indeterminate={selection.page === 'some'}
          disabled={!pairs.some(isSelectable)}
          onChange={selection.togglePage}
        />
      ),
      className: classes.select,
      cell: (pair) => <SelectBox pair={pair} selection={selection} />,
    },
    issueColumn('first', 'Issue 1', ({ issue1 }) => issue1, hrefOf),
    issueColumn('second', 'Issue 2', ({ issue2 }) => issue2, hrefOf),
    {
      id: 'probability',
      head: 'Probability',
      className: classes.probability,
      cell: ({ probability, similarity }) => (
        <>
          <span className={classes.number} title={`Similarity ${similarityText(similarity)}`}>
            {probabilityText(probability)}
          </span>
          <Meter value={probability} thin />
        </>
      ),
    },
    {
      id: 'review',
      head: 'AI Review',
      className: classes.review,
      cell: (pair) => <Review pair={pair} verdict={verdictOn(pair)} proposal={proposalOn(pair)} />,
    },
    {
      id: 'actions',
      head: 'Actions',
      className: classes.actions,
      cell: (pair) => <Actions pair={pair} {...actions} />,
    },
  ];
}

/** List of pairs, most probable first. A series has one row, which shows its most probable pair. */
export function PairList({ list, navigation, walk, work, selection, onEnter, ...actions }: PairListProps) {
  const { search, go, hrefFor } = navigation;
  const { data: projects } = useProjects();
  const pairs = list.data?.duplicates ?? NO_PAIRS;
  const verdictOn = useVerdicts(pairs);
  const proposalOn = useProposals();
  const total = list.data?.total ?? 0;
  const listed = Math.min(total, PAIRS_COUNTED);
  const pageHref = (page: number) => hrefFor({ ...search, page, selectedPair: null });
  const hrefOf = ({ id }: Pair) => hrefFor({ ...search, selectedPair: id });
  return (
    <DataList
      list={listStateOf(list, ({ duplicates }) => duplicates)}
      label="Similar issues"
      loadingLabel="Loading similar issues"
      skeletonRows={PAGE_SIZE}
      columns={columnsOf(pairs, { selection, hrefOf, verdictOn, proposalOn, ...actions })}
      classes={classes}
      rowClassName={rowClassName}
      walk={walk}
      selectedId={search.selectedPair}
      onOpen={({ id }) => walk.open(id)}
      onEnter={onEnter}
      empty={
        <>
          <PairWork work={work} />
          <EmptyList
            reason={emptyReason({
              total,
              projects: projects?.length,
              working: work.syncing || work.analyzing,
            })}
            filtered={isFiltered(search)}
            dismissed={search.dismissed}
            lastPageHref={pageHref(Math.max(1, Math.ceil(listed / PAGE_SIZE)))}
            onClearAll={() => go(withoutFilters(search))}
          />
        </>
      }
      below={<PairWork work={work} />}
      cappedNote={
        total > PAIRS_COUNTED
          ? `${pairsText(total)} pairs match. The ${countText(PAIRS_COUNTED)} most likely are listed; filters narrow them down.`
          : undefined
      }
      pager={{
        page: search.page,
        pageSize: PAGE_SIZE,
        total: listed,
        totalText: pairsText(total),
        hrefFor: pageHref,
      }}
    />
  );
}
