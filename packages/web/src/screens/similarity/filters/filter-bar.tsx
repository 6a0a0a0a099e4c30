import { Button, SegmentedControl } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { pairScope, type ResolutionFilter } from '@winnow/contract/duplicate';
import type { Project } from '@winnow/contract/issue';
import { FilterTag, FilterTags } from '../../../features/issues/filters/filter-tags.tsx';
import { projectNames, STATUS_LABELS } from '../../../features/issues/filters/filter-texts.ts';
import {
  SEARCH_DEFAULTS,
  type SearchFilters,
  type SimilaritySearch,
  serializeSearch,
  TO_DECIDE,
  withFilters,
} from '../../../features/pairs/pair-search.ts';
import { pairsText, thresholdText } from '../../../features/pairs/pair-texts.ts';
import { usePairsCount } from '../../../features/pairs/queries.ts';
import classes from './filter-bar.module.css';
import { SearchField } from './search-field.tsx';

/** Labels of the resolution filters. */
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
        {STATUS_LABELS[status]}
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
    search.threshold === SEARCH_DEFAULTS.threshold ? null : (
      <FilterTag
        key="threshold"
        name="Similarity"
        onRemove={() => onChange({ threshold: SEARCH_DEFAULTS.threshold })}
      >
        {thresholdText(search.threshold)}
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

/** Toggle that lists the pairs counted in the sidebar, or all pairs again. */
function ToDecide({ search, onChange }: Pick<FilterBarProps, 'search' | 'onChange'>) {
  const count = usePairsCount().data;
  const shown = String(serializeSearch(withFilters(search, {}))) === String(serializeSearch(TO_DECIDE));
  return (
    <Button
      variant={shown ? 'light' : 'default'}
      aria-pressed={shown}
      title={`Open, unresolved pairs with a similarity of ${thresholdText(TO_DECIDE.threshold)}`}
      onClick={() => onChange(shown ? SEARCH_DEFAULTS : TO_DECIDE)}
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

/** Filter dialog button, scope, search field, and active filters. */
export function FilterBar({ onOpenDialog, onSearch, ...props }: FilterBarProps) {
  const { search, onChange } = props;
  return (
    <div className={classes.filters}>
      <div className={classes.bar}>
        <Button
          leftSection={<IconFilter size={16} stroke={1.75} aria-hidden />}
          aria-haspopup="dialog"
          onClick={onOpenDialog}
        >
          Filters
        </Button>
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
