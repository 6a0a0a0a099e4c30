import type { UseQueryResult } from '@tanstack/react-query';
import { PAIRS_COUNTED, type PairList as Page } from '@winnow/contract/duplicate';
import { emptyReason } from '../../../features/issues/empty-reason.ts';
import { useProjects } from '../../../features/issues/queries.ts';
import {
  PAGE_SIZE,
  SEARCH_DEFAULTS,
  type SimilaritySearch,
  serializeSearch,
  withoutFilters,
} from '../../../features/pairs/pair-search.ts';
import { pairsText } from '../../../features/pairs/pair-texts.ts';
import type { ScreenNavigation } from '../../../ui/address/use-screen-search.ts';
import { Card } from '../../../ui/card.tsx';
import frame from '../../../ui/data-list/list-frame.module.css';
import { Pagination } from '../../../ui/data-list/pagination.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import type { Selection } from '../bulk/use-selection.ts';
import type { Work } from '../use-work.ts';
import { EmptyList } from './empty-list.tsx';
import classes from './pair-list.module.css';
import type { RowActions } from './pair-row.tsx';
import { PairTable } from './pair-table.tsx';
import { PairWork } from './pair-work.tsx';

export type PairListProps = Omit<RowActions, 'hrefOf'> & {
  list: UseQueryResult<Page>;
  navigation: ScreenNavigation<SimilaritySearch>;
  currentId: string | null;
  work: Work;
  selection: Selection;
};

function isFiltered(search: SimilaritySearch): boolean {
  const shown = { ...search, page: SEARCH_DEFAULTS.page, selectedPair: null };
  return serializeSearch(shown).toString() !== serializeSearch(withoutFilters(search)).toString();
}

/** The card with the table, in each of its states: loading, failed, empty, filled. */
export function PairList({ list, navigation, currentId, work, selection, ...actions }: PairListProps) {
  const { search, go, hrefFor } = navigation;
  const { data: projects } = useProjects();
  const { data, error } = list;
  if (data === undefined) {
    if (error !== null) {
      return <ErrorState error={error} onRetry={() => void list.refetch()} retrying={list.isFetching} />;
    }
    return (
      <Card>
        <Loading label="Loading similar issues">
          <div className={frame.headGap} />
          <RowsSkeleton rows={PAGE_SIZE} />
          <div className={frame.pagerGap} />
        </Loading>
      </Card>
    );
  }
  const listed = Math.min(data.total, PAIRS_COUNTED);
  const lastPage = Math.max(1, Math.ceil(listed / PAGE_SIZE));
  const pageHref = (page: number) => hrefFor({ ...search, page, selectedPair: null });
  return (
    <Card>
      {error === null ? null : (
        <div className={frame.failed}>
          <ErrorState
            error={error}
            title="This list could not be brought up to date"
            onRetry={() => void list.refetch()}
            retrying={list.isFetching}
          />
        </div>
      )}
      {data.duplicates.length === 0 ? (
        <>
          <PairWork work={work} />
          <EmptyList
            reason={emptyReason({
              total: data.total,
              projects: projects?.length,
              working: work.syncing || work.analyzing,
            })}
            filtered={isFiltered(search)}
            dismissed={search.dismissed}
            lastPageHref={pageHref(lastPage)}
            onClearAll={() => go(withoutFilters(search))}
          />
        </>
      ) : (
        <>
          <PairTable
            pairs={data.duplicates}
            selectedId={search.selectedPair}
            currentId={currentId}
            stale={list.isPlaceholderData}
            selection={selection}
            hrefOf={(pair) => hrefFor({ ...search, selectedPair: pair.id })}
            {...actions}
          />
          {/* Under the rows, so that none moves while somebody reads. */}
          <PairWork work={work} />
          {data.total > PAIRS_COUNTED ? (
            <p className={classes.more}>
              {pairsText(data.total)} pairs match. The {countText(PAIRS_COUNTED)} most similar are listed;
              filters narrow them down.
            </p>
          ) : null}
          <Pagination
            page={search.page}
            pageSize={PAGE_SIZE}
            total={listed}
            totalText={pairsText(data.total)}
            hrefFor={pageHref}
          />
        </>
      )}
    </Card>
  );
}
