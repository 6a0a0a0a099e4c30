import { NativeSelect, SegmentedControl } from '@mantine/core';
import { IconList, IconSitemap } from '@tabler/icons-react';
import type { Project } from '@winnow/contract/issue';
import type { ReactNode } from 'react';
import { FilterTag, FilterTags } from '../../../features/issues/filters/filter-tags.tsx';
import { STATUS_LABELS } from '../../../features/issues/filters/filter-texts.ts';
import { namesakeLookup, withTracker } from '../../../features/issues/namesakes.ts';
import { projectSegment } from '../../../features/issues/project-segment.ts';
import { FiltersButton } from '../../../ui/filters-button.tsx';
import {
  type DependenciesSearch,
  SEARCH_DEFAULTS,
  type SearchFilters,
  type ViewName,
} from '../search-params.ts';
import classes from './bar.module.css';

/**
 * Returns the options of the project menu. If projects have the same name, their options also
 * contain the identifier or the tracker.
 */
function projectChoices(projects: readonly Project[]) {
  const placeOf = namesakeLookup(projects);
  return projects.map(({ id, name, identifier }) => {
    const isShared = projects.some((other) => other.name === name && other.id !== id);
    const label = isShared ? `${name} (${identifier})` : name;
    return { value: projectSegment(id), label: withTracker(label, placeOf(id)) };
  });
}

function ViewLabel({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <span className={classes.view}>
      {icon}
      {children}
    </span>
  );
}

const ICON = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;
const VIEWS = [
  { value: 'list', label: <ViewLabel icon={<IconList {...ICON} />}>List</ViewLabel> },
  { value: 'graph', label: <ViewLabel icon={<IconSitemap {...ICON} />}>Graph</ViewLabel> },
] satisfies { value: ViewName; label: ReactNode }[];

export type FilterBarProps = {
  search: DependenciesSearch;
  projects: readonly Project[];
  /** The selected project. */
  project: Project;
  onOpenDialog: () => void;
  onChange: (filters: Partial<SearchFilters>) => void;
  onView: (view: ViewName) => void;
  /** Content displayed at the end of the bar. */
  children?: ReactNode;
};

/**
 * Bar above the dependencies, with the project menu, the filters, and the switch between list and
 * graph.
 */
export function FilterBar(props: FilterBarProps) {
  const { search, projects, project, onChange, onView } = props;
  const isList = search.view === 'list';
  const tags = [
    isList && search.status !== SEARCH_DEFAULTS.status ? (
      <FilterTag key="status" name="Status" onRemove={() => onChange({ status: SEARCH_DEFAULTS.status })}>
        {STATUS_LABELS[search.status]}
      </FilterTag>
    ) : null,
    isList && search.show !== SEARCH_DEFAULTS.show ? (
      <FilterTag key="show" name="Only" onRemove={() => onChange({ show: SEARCH_DEFAULTS.show })}>
        with dependencies
      </FilterTag>
    ) : null,
  ];
  return (
    <div className={classes.filters}>
      <div className={classes.bar}>
        <NativeSelect
          className={classes.project ?? ''}
          aria-label="Project"
          data={projectChoices(projects)}
          value={projectSegment(project.id)}
          onChange={({ currentTarget: { value } }) => onChange({ project: value })}
        />
        {isList ? <FiltersButton onClick={props.onOpenDialog} /> : null}
        <SegmentedControl
          aria-label="Show as"
          classNames={{ label: classes.viewLabel ?? '' }}
          data={VIEWS}
          value={search.view}
          onChange={(value) => onView(value === 'graph' ? 'graph' : 'list')}
        />
        <span className={classes.grow} />
        {props.children}
      </div>
      <FilterTags
        tags={tags}
        onClearAll={() => onChange({ status: SEARCH_DEFAULTS.status, show: SEARCH_DEFAULTS.show })}
      />
    </div>
  );
}
