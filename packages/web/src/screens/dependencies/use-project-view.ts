import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Dependency, DependencyGraph } from '@winnow/contract/dependency';
import { useMemo } from 'react';
import { queryClient } from '../../api/query/query-client.ts';
import { issuePageOptions } from '../../features/issues/issue-search.ts';
import { projectSegment } from '../../features/issues/project-segment.ts';
import type { ScreenNavigation } from '../../ui/address/use-screen-search.ts';
import { type ListWalk, useListWalk } from '../../ui/data-list/use-list-walk.ts';
import { type DrawnGraph, drawGraph } from './graph/model.ts';
import { readingOrder } from './graph/steps.ts';
import { dependentIssues, listState, pageOf, type ShownList } from './list/shown-list.ts';
import { useGraph } from './queries.ts';
import { type DependenciesSearch, PAGE_SIZE } from './search-params.ts';
import { type Scan, useScan } from './use-scan.ts';

/** The part of a project that is displayed as a list or as a graph. */
export type ProjectView = {
  list: ShownList;
  scan: Scan;
  graph: UseQueryResult<DependencyGraph>;
  /** The drawing of the graph; null while loading. */
  drawn: DrawnGraph | null;
  /** Dependencies in the displayed part of the list or graph. */
  shown: readonly Dependency[];
  /** Keyboard navigation between the rows of the list or the nodes of the graph. */
  walk: ListWalk;
  /** True if the issue has a row in the list. */
  isListed: (issueId: string) => boolean;
};

/**
 * Loads the graph of a project. In the list view, also loads a page of issues and scans them for
 * dependencies.
 */
export function useProjectView(
  projectId: string,
  { search, go }: ScreenNavigation<DependenciesSearch>,
): ProjectView {
  const isGraph = search.view === 'graph';
  const pageOptions = (page: number) =>
    issuePageOptions({
      query: '',
      region: null,
      cluster: null,
      projects: [projectSegment(projectId)],
      status: search.status,
      page,
    });
  const isFromGraph = search.show === 'dependent';
  const loaded = useQuery({
    ...pageOptions(search.page),
    placeholderData: keepPreviousData,
    enabled: !isGraph && !isFromGraph,
  });
  const graph = useGraph(projectId);
  const known = graph.data;
  const { issues: others } = known ?? {};
  const dependent = useMemo(
    () => (others === undefined ? undefined : dependentIssues(others, projectId, search.status)),
    [others, projectId, search.status],
  );
  const list: ShownList = isFromGraph
    ? { ...listState(graph), page: dependent && pageOf(dependent, search.page), stale: false }
    : { ...listState(loaded), page: loaded.data, stale: loaded.isPlaceholderData };
  const listed = isGraph || list.stale ? null : (list.page?.issues ?? null);
  const scan = useScan(`${search.show} ${search.status} ${search.page}`, listed, known);
  const drawn = useMemo(() => (known === undefined ? null : drawGraph(known)), [known]);

  const rows = list.page?.issues.map(({ id }) => id) ?? [];
  const nodes = useMemo(() => (drawn === null ? [] : readingOrder(drawn.issues)), [drawn]);
  const inList = {
    ids: rows,
    page: search.page,
    pageSize: PAGE_SIZE,
    total: list.page?.total ?? 0,
    edgeOf: async (page: number, step: 1 | -1) => {
      const next =
        dependent !== undefined && isFromGraph
          ? pageOf(dependent, page)
          : await queryClient.fetchQuery(pageOptions(page));
      return next.issues.at(step === 1 ? 0 : -1)?.id;
    },
  };
  const inGraph = {
    ids: nodes,
    page: 1,
    pageSize: Math.max(1, nodes.length),
    total: nodes.length,
  };
  const walk = useListWalk({
    ...(isGraph ? inGraph : inList),
    selectedId: search.selectedIssue,
    go: ({ page, selectedId }, options) =>
      go({ ...search, page: isGraph ? search.page : page, selectedIssue: selectedId }, options),
  });
  return {
    list,
    scan,
    graph,
    drawn,
    shown: isGraph ? (known?.dependencies ?? []) : scan.dependencies,
    walk,
    isListed: (issueId) => !isGraph && rows.includes(issueId),
  };
}
