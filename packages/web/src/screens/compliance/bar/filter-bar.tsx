import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { clusterOptions } from '../../../features/clusters/queries.ts';
import { FilterTag, FilterTags } from '../../../features/issues/filters/filter-tags.tsx';
import { projectNames, STATUS_LABELS } from '../../../features/issues/filters/filter-texts.ts';
import { useProjects } from '../../../features/issues/queries.ts';
import { FiltersButton } from '../../../ui/filters-button.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import {
  type ComplianceSearch,
  SEARCH_DEFAULTS,
  type SearchFilters,
  type ViewName,
} from '../search-params.ts';
import classes from './bar.module.css';
import { SearchForm } from './search-form.tsx';
import { ViewSwitch } from './view-switch.tsx';

/** Formats a number of issues, such as `1 issue` or `24 issues`. Null reads as `…`. */
function issuesText(count: number | null): string {
  if (count === null) return '…';
  return count === 1 ? '1 issue' : `${countText(count)} issues`;
}

/** Name of a cluster; `…` while loading. */
function ClusterName({ id }: { id: string }) {
  const { data } = useQuery(clusterOptions(id));
  return <span dir="auto">{data?.name ?? '…'}</span>;
}

function tagsOf(
  { search, inRegion, onChange }: FilterBarProps,
  projects: Parameters<typeof projectNames>[1],
) {
  const { status, query, projects: chosen, region, cluster } = search;
  return [
    query === '' ? null : (
      <FilterTag key="query" name="Search" onRemove={() => onChange({ query: '' })}>
        {query}
      </FilterTag>
    ),
    status === SEARCH_DEFAULTS.status ? null : (
      <FilterTag key="status" name="Status" onRemove={() => onChange({ status: SEARCH_DEFAULTS.status })}>
        {STATUS_LABELS[status]}
      </FilterTag>
    ),
    chosen.length === 0 ? null : (
      <FilterTag key="projects" name="Projects" onRemove={() => onChange({ projects: [] })}>
        {projectNames(chosen, projects)}
      </FilterTag>
    ),
    region === null ? null : (
      <FilterTag key="region" name="Region" onRemove={() => onChange({ region: null })}>
        {issuesText(inRegion)}
      </FilterTag>
    ),
    cluster === null ? null : (
      <FilterTag key="cluster" name="Cluster" onRemove={() => onChange({ cluster: null })}>
        <ClusterName id={cluster} />
      </FilterTag>
    ),
  ];
}

export type FilterBarProps = {
  search: ComplianceSearch;
  /** Number of issues in the map region; null while unknown. */
  inRegion: number | null;
  /** Field that selects the prompt, displayed in the bar. */
  children: ReactNode;
  onOpenDialog: () => void;
  onChange: (filters: Partial<SearchFilters>) => void;
  onView: (view: ViewName) => void;
  onClearAll: () => void;
};

/** Bar above the issue list: search field, prompt, view and filters. */
export function FilterBar(props: FilterBarProps) {
  const { search, children, onOpenDialog, onChange, onView, onClearAll } = props;
  const { data: projects = [] } = useProjects();
  return (
    <div className={classes.filters}>
      <div className={classes.bar}>
        <SearchForm
          query={search.query}
          onSearch={(query) => {
            if (query !== search.query) onChange({ query });
          }}
        />
        {children}
        <FiltersButton onClick={onOpenDialog} />
        <ViewSwitch view={search.view} onView={onView} />
      </div>
      <FilterTags tags={tagsOf(props, projects)} onClearAll={onClearAll} />
    </div>
  );
}
