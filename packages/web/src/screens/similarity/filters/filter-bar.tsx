import { Button, SegmentedControl } from '@mantine/core';
import { pairScope, type ResolutionFilter } from '@winnow/contract/duplicate';
import type { Project } from '@winnow/contract/issue';
import { FilterTag, FilterTags } from '../../../features/issues/filters/filter-tags.tsx';
import { projectNames } from '../../../features/issues/filters/filter-texts.ts';
import {
  ALL_PAIRS,
  PAIR_STATUSES,
  SEARCH_DEFAULTS,
  type SearchFilters,
  type SimilaritySearch,
  serializeSearch,
  withFilters,
} from '../../../features/pairs/pair-search.ts';
import { markText, pairsText, queueText } from '../../../features/pairs/pair-texts.ts';
import { useMark, usePairsCount } from '../../../features/pairs/queries.ts';
import { FiltersButton } from '../../../ui/filters-button.tsx';
import classes from './filter-bar.module.css';
import { SearchField } from './search-field.tsx';

/** Labels of the filters by resolution. */
export const RESOLUTION_LABELS: Record<ResolutionFilter, string> = {
  all: 'All',
  resolved: 'Resolved',
  unresolved: 'Unresolved',
};
const SCOPES = [
  { value: 'project', label: 'Within one project' },
  { value: 'account', label: 'Across all' },
];
function Tags(props: Pick<FilterBarProps, 'search' | 'projects' | 'onChange' | 'onClearAll'>) {
  const { search, projects, onChange, onClearAll } = props;
  const { status, resolution, dismissed } = search;
  const tags = [
    status === SEARCH_DEFAULTS.status ? null : (
      <FilterTag key="status" name="Status" onRemove={() => onChange({ status: SEARCH_DEFAULTS.status })}>
        {PAIR_STATUSES[status]}
      </FilterTag>
    ),
    resolution === SEARCH_DEFAULTS.resolution ? null : (
      <FilterTag
        key="resolution"
        name="Resolution"
        onRemove={() => onChange({ resolution: SEARCH_DEFAULTS.resolution })}
      >
        {RESOLUTION_LABELS[resolution]}
      </FilterTag>
    ),
    search.probability === null ? null : (
      <FilterTag
        key="probability"
        name="Probability"
        onRemove={() => onChange({ probability: SEARCH_DEFAULTS.probability })}
      >
        {markText(search.probability)}
      </FilterTag>
    ),
    search.projects.length === 0 ? null : (
      <FilterTag key="projects" name="Projects" onRemove={() => onChange({ projects: [] })}>
        {projectNames(search.projects, projects)}
      </FilterTag>
    ),
    dismissed ? (
      <FilterTag key="dismissed" name="Dismissed pairs" onRemove={() => onChange({ dismissed: false })} />
    ) : null,
  ];
  return <FilterTags tags={tags} onClearAll={onClearAll} />;
}

/**
 * Button that switches between the queue and all pairs. It is labeled with the number of pairs in
 * the queue, like the sidebar.
 */
function ToDecide({ search, onChange }: Pick<FilterBarProps, 'search' | 'onChange'>) {
  const count = usePairsCount().data;
  const mark = useMark();
  const shown = serializeSearch(withFilters(search, {})).size === 0;
  return (
    <Button
      variant={shown ? 'light' : 'default'}
      aria-pressed={shown}
      title={queueText(mark)}
      onClick={() => onChange(shown ? ALL_PAIRS : SEARCH_DEFAULTS)}
    >
      {count === undefined ? 'To decide' : `To decide: ${pairsText(count)}`}
    </Button>
  );
}

export type FilterBarProps = {
  search: SimilaritySearch;
  projects: readonly Project[];
  onOpenDialog: () => void;
  onChange: (filters: Partial<SearchFilters>) => void;
  onSearch: (query: string) => void;
  onClearAll: () => void;
};

/**
 * Bar with a button that opens the filters dialog, the scope, the search field, and the active
 * filters.
 */
export function FilterBar({ onOpenDialog, onSearch, ...props }: FilterBarProps) {
  const { search, onChange } = props;
  return (
    <div className={classes.filters}>
      <div className={classes.bar}>
        <FiltersButton onClick={onOpenDialog} />
        <SegmentedControl
          classNames={{ label: classes.scope ?? '' }}
          aria-label="Where the issues of a pair come from"
          data={SCOPES}
          value={search.scope}
          onChange={(value) => onChange({ scope: pairScope.parse(value) })}
        />
        <ToDecide search={search} onChange={onChange} />
        <SearchField query={search.query} onSearch={onSearch} />
      </div>
      <Tags {...props} />
    </div>
  );
}
