import { useQueryClient } from '@tanstack/react-query';
import type { Issue } from '@winnow/contract/issue';
import { useState } from 'react';
import { meaningOf, shortMeaningOf } from '../../features/compliance/score.ts';
import { undoLastDecision } from '../../features/decisions/decision-toasts.ts';
import { STATUS_LABELS } from '../../features/issues/filters/filter-texts.ts';
import { FiltersDialog } from '../../features/issues/filters/filters-dialog.tsx';
import { toggleProject } from '../../features/issues/filters/project-tree.ts';
import { ISSUES_PER_PAGE, issuePageOptions } from '../../features/issues/issue-search.ts';
import { useScreenSearch } from '../../ui/address/use-screen-search.ts';
import { useListWalk } from '../../ui/data-list/use-list-walk.ts';
import { KeyHints } from '../../ui/keyboard/key-hints.tsx';
import { isUnderDialog } from '../../ui/keyboard/screen-keys.ts';
import { useListedShortcuts } from '../../ui/keyboard/shortcuts.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { FilterBar } from './bar/filter-bar.tsx';
import { PromptSelect } from './bar/prompt-select.tsx';
import { SEARCH_FIELD_ID } from './bar/search-form.tsx';
import { Distribution } from './distribution.tsx';
import { ImproveDialog, type ImprovedIssue } from './improve/improve-dialog.tsx';
import { IssueList } from './list/issue-list.tsx';
import { IssueMap } from './map/issue-map.tsx';
import { IssuePanel } from './panel/issue-panel.tsx';
import { PromptsDialog } from './prompts/prompts-dialog.tsx';
import { issueOptions, promptOf, useIssuePage, usePrompts } from './queries.ts';
import {
  parseSearch,
  SEARCH_DEFAULTS,
  type SearchFilters,
  serializeSearch,
  type ViewName,
  withFilters,
  withoutFilters,
} from './search-params.ts';
import { SHORTCUT_SECTION, SHORTCUTS, useShortcuts } from './shortcuts.ts';
import { improveRefusal } from './shown-score.ts';
import { usePageScores } from './use-page-scores.ts';

const NO_ISSUES: readonly Issue[] = [];

/**
 * Issue Compliance screen: scores issues by a prompt, explains the scores, and improves the texts
 * of issues.
 */
export function ComplianceScreen() {
  const navigation = useScreenSearch(parseSearch, serializeSearch);
  const { search, go } = navigation;
  const queryClient = useQueryClient();
  const list = useIssuePage(search);
  const prompts = usePrompts();
  const prompt = promptOf(prompts.data, search.prompt);
  const issues = list.data?.issues ?? NO_ISSUES;
  const hasNoPrompt = prompt === undefined && prompts.error !== null;
  const scores = usePageScores(
    prompt?.id ?? null,
    issues.map(({ id }) => id),
    hasNoPrompt,
  );
  const { selectedIssue } = search;
  const selected = issues.find(({ id }) => id === selectedIssue);
  // The selected issue may not be on the current page. Load its score separately in this case.
  const selectedScore = usePageScores(
    prompt?.id ?? null,
    selectedIssue === null || selected !== undefined ? [] : [selectedIssue],
    hasNoPrompt,
  );
  const scoreOf = (issueId: string) =>
    (selected === undefined && issueId === selectedIssue ? selectedScore : scores).scoreOf(issueId);
  const [filtersOpen, setFiltersOpen] = useState(false);
  const [promptsOpen, setPromptsOpen] = useState(false);
  const [improved, setImproved] = useState<ImprovedIssue | null>(null);
  const walk = useListWalk({
    ids: issues.map(({ id }) => id),
    page: search.page,
    pageSize: ISSUES_PER_PAGE,
    total: list.data?.total ?? 0,
    selectedId: selectedIssue,
    go: (place, options) => go({ ...search, page: place.page, selectedIssue: place.selectedId }, options),
    edgeOf: async (page, step) => {
      const next = await queryClient.fetchQuery(issuePageOptions({ ...search, page }));
      return next.issues.at(step === 1 ? 0 : -1)?.id;
    },
  });

  const change = (filters: Partial<SearchFilters>) => go(withFilters(search, filters));
  const show = (view: ViewName) => go({ ...search, view }, { replace: true });
  const improve = (issue: Issue) => {
    if (prompt !== undefined && improveRefusal(scoreOf(issue.id)) === null) {
      setImproved({ issue, prompt, opened: true });
    }
  };
  /** Returns the current issue; undefined if it is not loaded. */
  const currentIssue = () => {
    const { currentId } = walk;
    if (currentId === null) return undefined;
    return (
      issues.find(({ id }) => id === currentId) ?? queryClient.getQueryData(issueOptions(currentId).queryKey)
    );
  };
  const enter = (issue: Issue) => {
    if (selectedIssue === issue.id) improve(issue);
    else walk.open(issue.id);
  };
  const closePanel = () => {
    // A dialog above the panel also closes on Escape. Keep the panel open in this case.
    if (!isUnderDialog()) walk.close();
  };
  const closeImprove = () => improved && setImproved({ ...improved, opened: false });

  useListedShortcuts(SHORTCUT_SECTION);
  useShortcuts({
    j: () => walk.next?.(),
    k: () => walk.previous?.(),
    Enter: () => {
      const issue = currentIssue();
      if (issue !== undefined) enter(issue);
    },
    i: () => {
      const issue = currentIssue();
      if (issue !== undefined) improve(issue);
    },
    z: () => void undoLastDecision(),
    m: () => show(search.view === 'map' ? 'list' : 'map'),
    '/': () => document.getElementById(SEARCH_FIELD_ID)?.focus(),
    Escape: closePanel,
  });

  return (
    <Page
      width="full"
      footer={<KeyHints shortcuts={SHORTCUTS} />}
      panel={
        selectedIssue === null ? undefined : (
          <IssuePanel
            issueId={selectedIssue}
            listed={selected}
            score={scoreOf(selectedIssue)}
            metric={prompt?.name ?? ''}
            walk={walk}
            onClose={closePanel}
            onImprove={improve}
          />
        )
      }
    >
      <FilterBar
        search={search}
        inRegion={list.data?.inRegion ?? null}
        onOpenDialog={() => setFiltersOpen(true)}
        onChange={change}
        onView={show}
        onClearAll={() => go(withoutFilters(search))}
      >
        <PromptSelect
          prompts={prompts.data}
          chosen={prompt}
          onChoose={(chosen) => go({ ...search, prompt: chosen })}
          onManage={() => setPromptsOpen(true)}
        />
      </FilterBar>
      {prompts.error === null ? null : (
        <ErrorState
          error={prompts.error}
          title="The compliance types could not be loaded"
          onRetry={() => void prompts.refetch()}
          retrying={prompts.isFetching}
        />
      )}
      {search.view === 'map' ? (
        <IssueMap
          search={search}
          prompt={prompt}
          onColor={(color) => go({ ...search, color }, { replace: true })}
          onOpen={walk.open}
          onRegion={(region, options) => go(withFilters(search, { region }), options)}
        />
      ) : (
        <Distribution
          prompt={prompt}
          status={search.status}
          chosen={search.projects}
          onToggle={(segment) => change({ projects: toggleProject(search.projects, segment) })}
        />
      )}
      <IssueList
        list={list}
        scores={scores}
        metric={prompt?.short_name ?? 'Score'}
        meaning={meaningOf(prompt?.id)}
        shortMeaning={shortMeaningOf(prompt?.id)}
        navigation={navigation}
        walk={walk}
        onEnter={enter}
        onImprove={improve}
      />
      <FiltersDialog
        opened={filtersOpen}
        values={{ projects: search.projects, status: search.status }}
        statuses={STATUS_LABELS}
        onApply={(values) => {
          setFiltersOpen(false);
          change(values);
        }}
        onClose={() => setFiltersOpen(false)}
      />
      <ImproveDialog
        improved={improved}
        onClose={closeImprove}
        onExited={walk.refocus}
        onDone={() => {
          closeImprove();
          go({ ...search, page: SEARCH_DEFAULTS.page }, { replace: true });
        }}
      />
      <PromptsDialog
        opened={promptsOpen}
        prompts={prompts.data ?? []}
        issues={issues}
        onChoose={(chosen) => go({ ...search, prompt: chosen })}
        onClose={() => setPromptsOpen(false)}
      />
    </Page>
  );
}
