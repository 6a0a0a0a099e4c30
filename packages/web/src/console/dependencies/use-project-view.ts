import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Dependency, DependencyGraph } from '@winnow/contract/dependency';
import { useMemo } from 'react';
import { queryClient } from '../../app/query-client.ts';
import { type ListWalk, useListWalk } from '../../ui/use-list-walk.ts';
import type { ScreenNavigation } from '../../ui/use-screen-search.ts';
import { type IssuePage, issuePageOptions } from '../compliance/queries.ts';
import { SEARCH_DEFAULTS as ISSUE_SEARCH } from '../compliance/search-params.ts';
import { projectSegment } from '../issues/search-values.ts';
import { nodeId } from './graph/graph-node.tsx';
import { type DrawnGraph, drawGraph } from './graph/model.ts';
import { readingOrder } from './graph/steps.ts';
import { issueRowId } from './list/row-id.ts';
import { useGraph } from './queries.ts';
import { type DependenciesSearch, PAGE_SIZE } from './search-params.ts';
import { type Scan, useScan } from './use-scan.ts';

/** What is shown of a project, as a list or as a graph. */
export type ProjectView = {
  list: UseQueryResult<IssuePage>;
  scan: Scan;
  graph: UseQueryResult<DependencyGraph>;
  /** Null until it is loaded. */
  drawn: DrawnGraph | null;
  /** The dependencies that the list or the graph shows. */
  shown: readonly Dependency[];
  /** From row to row, or from node to node. */
  walk: ListWalk;
  /** Whether the list has a row of an issue. */
  isListed: (issueId: string) => boolean;
};

/** Loads a project's issues and scans them, or loads its graph, as the search says; what is not shown is not asked for. */
export function useProjectView(
  projectId: string,
  { search, go }: ScreenNavigation<DependenciesSearch>,
): ProjectView {
  const isGraph = search.view === 'graph';
  const pageOptions = (page: number) =>
    issuePageOptions({
      ...ISSUE_SEARCH,
      projects: [projectSegment(projectId)],
      status: search.status,
      page,
    });
  const list = useQuery({
    ...pageOptions(search.page),
    placeholderData: keepPreviousData,
    enabled: !isGraph,
  });
  const listed = isGraph || list.isPlaceholderData ? null : (list.data?.issues ?? null);
  const scan = useScan(`${search.status} ${search.page}`, listed);
  const graph = useGraph(isGraph ? projectId : null);
  const drawn = useMemo(() => (graph.data === undefined ? null : drawGraph(graph.data)), [graph.data]);

  const rows = list.data?.issues.map(({ id }) => id) ?? [];
  const nodes = useMemo(() => (drawn === null ? [] : readingOrder(drawn.issues)), [drawn]);
  const inList = {
    ids: rows,
    page: search.page,
    pageSize: PAGE_SIZE,
    total: list.data?.total ?? 0,
    rowIdOf: issueRowId,
    edgeOf: async (page: number, step: 1 | -1) => {
      const { issues } = await queryClient.fetchQuery(pageOptions(page));
      return issues.at(step === 1 ? 0 : -1)?.id;
    },
  };
  const inGraph = {
    ids: nodes,
    page: 1,
    pageSize: Math.max(1, nodes.length),
    total: nodes.length,
    rowIdOf: nodeId,
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
    shown: isGraph ? (graph.data?.dependencies ?? []) : scan.dependencies,
    walk,
    isListed: (issueId) => !isGraph && rows.includes(issueId),
  };
}
