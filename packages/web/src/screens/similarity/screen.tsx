import type { Pair, PairJudgment } from '@winnow/contract/duplicate';
import { useState } from 'react';
import {
  dismissPair,
  markUnrelated,
  restorePair,
  showAlreadyResolved,
  undoLastDecision,
} from '../../features/decisions/decision-toasts.ts';
import { FiltersDialog } from '../../features/issues/filters/filters-dialog.tsx';
import { useProjects } from '../../features/issues/queries.ts';
import {
  PAIR_STATUSES,
  parseSearch,
  projectOfChart,
  type SearchFilters,
  serializeSearch,
  withFilters,
  withoutFilters,
} from '../../features/pairs/pair-search.ts';
import { usePermittedKeys } from '../../features/workspaces/permitted-keys.ts';
import { useScreenSearch } from '../../ui/address/use-screen-search.ts';
import { DismissibleAlert } from '../../ui/dismissible-alert.tsx';
import { KeyHints } from '../../ui/keyboard/key-hints.tsx';
import { isUnderDialog } from '../../ui/keyboard/screen-keys.ts';
import { useListedShortcuts } from '../../ui/keyboard/shortcuts.ts';
import { Page } from '../../ui/page.tsx';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { BulkDialog, type BulkRequest } from './bulk/bulk-dialog.tsx';
import type { BulkKind } from './bulk/use-bulk.ts';
import { useSelection } from './bulk/use-selection.ts';
import { FilterBar } from './filters/filter-bar.tsx';
import { ProjectChart } from './filters/project-chart.tsx';
import { ResolutionFields } from './filters/resolution-fields.tsx';
import { SEARCH_FIELD_ID } from './filters/search-field.tsx';
import { PairList } from './list/pair-list.tsx';
import { setJudgment } from './pair-judgment.ts';
import { PairPanel } from './panel/pair-panel.tsx';
import { usePairList } from './queries.ts';
import { RecentDecisions } from './recent/recent-decisions.tsx';
import { ResolveDialog, type ResolvingPair } from './resolve/resolve-dialog.tsx';
import { SHORTCUT_SECTION, SHORTCUTS, type ShortcutKey, useShortcuts } from './shortcuts.ts';
import { suggestedClose } from './suggestion.ts';
import { canMerge } from './text-drafts.ts';
import { useReview } from './use-review.ts';
import { useWork } from './use-work.ts';

function actUnlessResolved(pair: Pair, act: (pair: Pair) => void): void {
  if (pair.resolution === null) act(pair);
  else showAlreadyResolved(pair.resolution);
}

/**
 * Issue Similarity screen: lists pairs of similar issues with evidence, and lets users decide on
 * them.
 */
export function SimilarityScreen() {
  const navigation = useScreenSearch(parseSearch, serializeSearch);
  const { search, go } = navigation;
  const list = usePairList(search);
  const { data: projects = [] } = useProjects();
  const work = useWork();
  const review = useReview(list.data, navigation);
  // The selection persists when the user goes to another page or opens a pair. It is cleared when
  // the filters change.
  const selection = useSelection(
    list.data?.duplicates ?? [],
    String(serializeSearch(withFilters(search, {}))),
  );
  const [bulk, setBulk] = useState<BulkRequest | null>(null);
  const [filtersOpen, setFiltersOpen] = useState(false);
  const [resolving, setResolving] = useState<ResolvingPair | null>(null);

  const change = (filters: Partial<SearchFilters>) => go(withFilters(search, filters));
  const askBulk = (kind: BulkKind) => setBulk({ kind, pairs: selection.pairs, opened: true });
  /**
   * Returns a handler that acts on the selected pairs. If none is selected, it acts on the
   * displayed pair.
   */
  const decide = (kind: BulkKind, act: (pair: Pair) => void) => () => {
    if (selection.pairs.length > 0) askBulk(kind);
    else decideAlone(act)();
  };
  /** Returns a handler that acts only on the displayed pair, for resolutions that edit texts. */
  const decideAlone = (act: (pair: Pair) => void) => () => {
    const pair = review.shownPair();
    if (pair !== null) actUnlessResolved(pair, act);
  };
  const resolve = (pair: Pair) => setResolving({ pair, step: 'initial', opened: true });
  const enter = (pair: Pair) => {
    if (search.selectedPair !== pair.id) review.open(pair.id);
    else if (review.shownPair() !== null) actUnlessResolved(pair, resolve);
  };
  const closePanel = () => {
    // A dialog above the panel also closes on Escape. Keep the panel open in this case.
    if (!isUnderDialog()) review.close();
  };
  const leave = (pair: Pair) => {
    selection.drop([pair]);
    review.leave(pair.id);
  };
  const dismiss = (pair: Pair) => {
    leave(pair);
    void dismissPair(pair);
  };
  const restore = (pair: Pair) => {
    leave(pair);
    void restorePair(pair);
  };

  /**
   * Returns a handler that judges the displayed pair and moves to the next pair. If the pair
   * already has this judgment, removes the judgment and stays.
   */
  const setJudgmentAndMoveOn = (judgment: PairJudgment) => () => {
    const pair = review.shownPair();
    if (pair === null) return;
    void setJudgment(pair, judgment);
    if (pair.judgment !== judgment) review.leave(pair.id);
  };

  useListedShortcuts(SHORTCUT_SECTION);
  const keys: Record<ShortcutKey, () => void> = {
    j: () => review.next?.(),
    k: () => review.previous?.(),
    Enter: () => {
      const pair = review.shownPair();
      if (pair !== null) enter(pair);
    },
    d: decide('close', (pair) => {
      const step = suggestedClose(pair) === null ? 'initial' : 'close';
      setResolving({ pair, step, opened: true });
    }),
    m: decideAlone((pair) => {
      setResolving({ pair, step: canMerge(pair) ? 'merge' : 'initial', opened: true });
    }),
    x: decideAlone((pair) => setResolving({ pair, step: 'deconflict', opened: true })),
    u: decide('unrelated', (pair) => {
      leave(pair);
      void markUnrelated(pair);
    }),
    e: decide('dismiss', (pair) => (pair.dismissed ? restore(pair) : dismiss(pair))),
    '1': setJudgmentAndMoveOn('same'),
    '2': setJudgmentAndMoveOn('related'),
    '3': setJudgmentAndMoveOn('different'),
    s: () => {
      const pair = review.shownPair();
      if (pair !== null) selection.toggle(pair);
    },
    z: () => void undoLastDecision(),
    '/': () => document.getElementById(SEARCH_FIELD_ID)?.focus(),
    Escape: closePanel,
  };
  const decisions = usePermittedKeys(keys, 'write', ['m', 'x', 'u', 'z']);
  useShortcuts(usePermittedKeys(decisions, 'triage', ['d', 'e', '1', '2', '3']), review);

  return (
    <Page
      width="full"
      footer={
        <>
          <BulkBar selection={selection} onAsk={askBulk} />
          <RecentDecisions />
          <KeyHints shortcuts={SHORTCUTS} />
        </>
      }
      panel={
        search.selectedPair === null ? undefined : (
          <PairPanel
            pairId={search.selectedPair}
            position={review.position}
            onPrevious={review.previous}
            onNext={review.next}
            onClose={closePanel}
            onResolve={resolve}
            onDismiss={dismiss}
            onRestore={restore}
          />
        )
      }
    >
      <DismissibleAlert storageKey="similarity-alert-dismissed">
        Nothing is written to a tracker before you see the preview.
      </DismissibleAlert>
      <ProjectChart
        status={search.status}
        scope={search.scope}
        chosen={search.projects}
        onToggle={(segment) => change(projectOfChart(search, segment))}
      />
      <FilterBar
        search={search}
        projects={projects}
        onOpenDialog={() => setFiltersOpen(true)}
        onChange={change}
        onSearch={(query) => {
          // Add one history entry for the whole search, not one for each pause in typing.
          if (query !== search.query) go(withFilters(search, { query }), { replace: search.query !== '' });
        }}
        onClearAll={() => go(withoutFilters(search))}
      />
      <PairList
        list={list}
        navigation={navigation}
        walk={review}
        work={work}
        selection={selection}
        onEnter={enter}
        onResolve={resolve}
        onDismiss={dismiss}
        onRestore={restore}
      />
      <BulkDialog
        asked={bulk}
        onClose={() => bulk && setBulk({ ...bulk, opened: false })}
        onDone={selection.drop}
        onExited={review.refocus}
      />
      <FiltersDialog
        opened={filtersOpen}
        values={{
          projects: search.projects,
          status: search.status,
          resolution: search.resolution,
          probability: search.probability,
          dismissed: search.dismissed,
        }}
        statuses={PAIR_STATUSES}
        more={(draft, onChange) => <ResolutionFields draft={draft} onChange={onChange} />}
        onApply={(values) => {
          setFiltersOpen(false);
          change(values);
        }}
        onClose={() => setFiltersOpen(false)}
      />
      <ResolveDialog
        resolving={resolving}
        onStep={(step) => resolving && setResolving({ ...resolving, step })}
        onClose={() => resolving && setResolving({ ...resolving, opened: false })}
        onExited={review.refocus}
        onResolved={(pair) => {
          if (resolving) setResolving({ ...resolving, opened: false });
          leave(pair);
        }}
      />
    </Page>
  );
}
