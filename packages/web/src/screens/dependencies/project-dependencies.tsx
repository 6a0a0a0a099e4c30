import type { Project } from '@winnow/contract/issue';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { queryClient } from '../../api/query/query-client.ts';
import { usePermittedKeys } from '../../features/workspaces/permitted-keys.ts';
import type { ScreenNavigation } from '../../ui/address/use-screen-search.ts';
import { KeyHints } from '../../ui/keyboard/key-hints.tsx';
import { isUnderDialog } from '../../ui/keyboard/screen-keys.ts';
import { Page } from '../../ui/page.tsx';
import type { DependencyActions } from './badges/dependency-details.tsx';
import { FilterBar } from './bar/filter-bar.tsx';
import { FiltersDialog } from './bar/filters-dialog.tsx';
import { CommitDialog } from './commit/commit-dialog.tsx';
import { useCommitRequest } from './commit/use-commit-request.ts';
import { committableDependencies, dependenciesOf, heldBackLookup } from './dependency-state.ts';
import { undoLast } from './dependency-toasts.ts';
import { GraphView } from './graph/graph-view.tsx';
import { IssueList } from './list/issue-list.tsx';
import { IssuePanel } from './panel/issue-panel.tsx';
import { issueDetailOptions } from './queries.ts';
import { type DependenciesSearch, type ViewName, withFilters } from './search-params.ts';
import { SHORTCUTS, useShortcuts } from './shortcuts.ts';
import { useProjectView } from './use-project-view.ts';

export type ProjectDependenciesProps = {
  project: Project;
  projects: readonly Project[];
  navigation: ScreenNavigation<DependenciesSearch>;
};

/** Issues of a project with their dependencies, as a list or a graph. */
export function ProjectDependencies({ project, projects, navigation }: ProjectDependenciesProps) {
  const { search, go, hrefFor } = navigation;
  const isGraph = search.view === 'graph';
  const [filtersOpen, setFiltersOpen] = useState(false);
  const { list, scan, graph, drawn, shown, walk, isListed } = useProjectView(project.id, navigation);
  const commit = useCommitRequest();

  const hrefOf = (issueId: string) => hrefFor({ ...search, selectedIssue: issueId });
  const actions: DependencyActions = {
    issueOf: scan.issueOf,
    hrefOf,
    onCommit: commit.ask,
    heldBack: heldBackLookup(graph.data),
  };
  const commitOf = (issueId: string) => {
    // The panel contains all dependencies of its issue. The list contains only dependencies of
    // scanned issues.
    const inPanel =
      issueId === search.selectedIssue
        ? queryClient.getQueryData(issueDetailOptions(issueId).queryKey)?.dependencies
        : undefined;
    const own = dependenciesOf(issueId, inPanel ?? shown).map(({ dependency }) => dependency);
    commit.askOrNotify(committableDependencies(own), 'issue', 'This issue has nothing to commit.');
  };
  const showView = (view: ViewName) => go({ ...search, view });
  const closePanel = () => {
    // A dialog above the panel also closes on Escape. Keep the panel open in this case.
    if (!isUnderDialog()) walk.close();
  };

  const refocus = useEffectEvent(() => walk.refocus());
  const lastView = useRef(search.view);
  useEffect(() => {
    if (lastView.current === search.view) return;
    lastView.current = search.view;
    refocus();
  }, [search.view]);

  const keys = {
    j: () => walk.next?.(),
    k: () => walk.previous?.(),
    Enter: () => {
      if (walk.currentId !== null) walk.open(walk.currentId);
    },
    s: () => {
      const { currentId } = walk;
      if (currentId !== null && isListed(currentId) && !scan.full && !scan.pending) scan.expand(currentId);
    },
    c: () => {
      if (walk.currentId !== null) commitOf(walk.currentId);
    },
    C: () =>
      commit.askOrNotify(
        committableDependencies(shown),
        isGraph ? 'project' : 'page',
        'There is nothing to commit.',
      ),
    z: () => void undoLast(),
    g: () => showView(isGraph ? 'list' : 'graph'),
    Escape: closePanel,
  };
  useShortcuts(usePermittedKeys(keys, 'write', ['c', 'C']));

  return (
    <Page
      width="full"
      footer={<KeyHints shortcuts={SHORTCUTS} />}
      panel={
        search.selectedIssue === null ? undefined : (
          <IssuePanel issueId={search.selectedIssue} walk={walk} actions={actions} onClose={closePanel} />
        )
      }
    >
      <FilterBar
        search={search}
        projects={projects}
        project={project}
        onOpenDialog={() => setFiltersOpen(true)}
        onChange={(filters) => go(withFilters(search, filters))}
        onView={showView}
      />
      {isGraph ? (
        <GraphView
          query={graph}
          drawn={drawn}
          listHref={hrefFor({ ...search, view: 'list', selectedIssue: null })}
          selectedId={search.selectedIssue}
          currentId={walk.currentId}
          rows={walk.rows}
          hrefOf={hrefOf}
          onFocus={walk.focus}
          onCommit={commit.ask}
          heldBack={actions.heldBack}
        />
      ) : (
        <IssueList
          list={list}
          known={graph.data}
          projectId={project.id}
          navigation={navigation}
          walk={walk}
          scan={scan}
          actions={actions}
        />
      )}
      <CommitDialog asked={commit.asked} actions={actions} onClose={commit.close} onExited={walk.refocus} />
      <FiltersDialog
        opened={filtersOpen}
        filters={{ status: search.status, show: search.show }}
        onApply={(filters) => {
          setFiltersOpen(false);
          go(withFilters(search, filters));
        }}
        onClose={() => setFiltersOpen(false)}
      />
    </Page>
  );
}
