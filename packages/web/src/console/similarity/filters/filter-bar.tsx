import { Button, SegmentedControl } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { pairScope, type ResolutionFilter } from '@winnow/contract/duplicate';
import type { Project, StatusFilter } from '@winnow/contract/issue';
import {
  projectSegment,
  SEARCH_DEFAULTS,
  type SearchFilters,
  type SimilaritySearch,
} from '../search-params.ts';
import classes from './filter-bar.module.css';
import { FilterTag } from './filter-tag.tsx';
import { SearchField } from './search-field.tsx';

/** How the status filters are called. */
export const STATUS_LABELS: Record<StatusFilter, string> = { opened: 'Opened', closed: 'Closed', all: 'All' };
/** How the resolution filters are called. */
export const RESOLUTION_LABELS: Record<ResolutionFilter, string> = {
  all: 'All',
  resolved: 'Resolved',
  unresolved: 'Unresolved',
};
const SCOPES = [
  { value: 'project', label: 'Within one project' },
  { value: 'account', label: 'Across all' },
];
/** Project names in the tag before it counts the rest. */
const NAMED = 2;

/** `sync, server, +2`. A project that is not known is named by its segment. */
function projectNames(segments: readonly string[], projects: readonly Project[]): string {
  const names = new Map(projects.map(({ id, name }) => [projectSegment(id), name]));
  const named = segments.slice(0, NAMED).map((segment) => names.get(segment) ?? segment);
  const rest = segments.length - named.length;
  return rest > 0 ? `${named.join(', ')}, +${rest}` : named.join(', ');
}

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
    search.projects.length === 0 ? null : (
      <FilterTag key="projects" name="Projects" onRemove={() => onChange({ projects: [] })}>
        {projectNames(search.projects, projects)}
      </FilterTag>
    ),
    dismissed ? (
      <FilterTag key="dismissed" name="Dismissed pairs" onRemove={() => onChange({ dismissed: false })} />
    ) : null,
  ].filter((tag) => tag !== null);
  if (tags.length === 0) return null;
  return (
    <div className={classes.tags}>
      {tags}
      <Button size="xs" variant="subtle" color="neutral" onClick={onClearAll}>
        Clear all
      </Button>
    </div>
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

/** What decides which pairs are listed: the dialog's button, the scope, the search, and the filters that are on. */
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
        <SearchField query={search.query} onSearch={onSearch} />
      </div>
      <Tags {...props} />
    </div>
  );
}
