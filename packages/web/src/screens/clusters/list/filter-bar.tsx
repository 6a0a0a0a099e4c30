import { Button, NativeSelect } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { clusterOrder } from '@winnow/contract/cluster';
import { FilterTag, FilterTags } from '../../../features/issues/filters/filter-tags.tsx';
import { projectNames } from '../../../features/issues/filters/filter-texts.ts';
import { useProjects } from '../../../features/issues/queries.ts';
import { markText } from '../../../features/pairs/pair-texts.ts';
import { FiltersButton } from '../../../ui/filters-button.tsx';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import {
  CLUSTER_STATUS_LABELS,
  type ClustersSearch,
  ORDER_LABELS,
  SEARCH_DEFAULTS,
  type SearchFilters,
} from '../search-params.ts';
import classes from './filter-bar.module.css';

export type FilterBarProps = {
  search: ClustersSearch;
  onOpenDialog: () => void;
  onChange: (filters: Partial<SearchFilters>) => void;
  onClearAll: () => void;
  /** True if the user has an interrupted review, which can be continued. */
  interrupted: boolean;
  onReview: () => void;
  /** Opens the dialog that resolves several clusters. */
  onBulk: () => void;
};

/**
 * Bar with the filters, the sort order, and buttons for reviewing clusters and for resolving
 * several clusters.
 */
export function FilterBar(props: FilterBarProps) {
  const { search, onOpenDialog, onChange, onClearAll, interrupted, onReview, onBulk } = props;
  const { data: projects = [] } = useProjects();
  const tags = [
    search.status === SEARCH_DEFAULTS.status ? null : (
      <FilterTag key="status" name="Status" onRemove={() => onChange({ status: SEARCH_DEFAULTS.status })}>
        {CLUSTER_STATUS_LABELS[search.status]}
      </FilterTag>
    ),
    search.probability === null ? null : (
      <FilterTag key="probability" name="Probability" onRemove={() => onChange({ probability: null })}>
        {markText(search.probability)}
      </FilterTag>
    ),
    search.projects.length === 0 ? null : (
      <FilterTag key="projects" name="Projects" onRemove={() => onChange({ projects: [] })}>
        {projectNames(search.projects, projects)}
      </FilterTag>
    ),
  ];
  return (
    <div className={classes.filters}>
      <div className={classes.bar}>
        <FiltersButton onClick={onOpenDialog} />
        <NativeSelect
          className={classes.order ?? ''}
          aria-label="Order"
          data={Object.entries(ORDER_LABELS).map(([value, label]) => ({ value, label }))}
          value={search.order}
          onChange={({ currentTarget }) => onChange({ order: clusterOrder.parse(currentTarget.value) })}
        />
        <Button className={classes.bulk ?? ''} rightSection={<KeyCap>a</KeyCap>} onClick={onBulk}>
          Resolve several…
        </Button>
        <Button
          variant="filled"
          leftSection={<IconPlayerPlay size={16} stroke={1.75} aria-hidden />}
          rightSection={<KeyCap>b</KeyCap>}
          onClick={onReview}
        >
          {interrupted ? 'Continue review' : 'Review backlog'}
        </Button>
      </div>
      <FilterTags tags={tags} onClearAll={onClearAll} />
    </div>
  );
}
