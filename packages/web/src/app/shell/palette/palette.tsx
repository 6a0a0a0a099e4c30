import { Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Project, projectList } from '@winnow/contract/issue';
import type { Workspace } from '@winnow/contract/workspace';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { api } from '../../../api/session/session.ts';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { type NamesakeLookup, namesakeLookup, withTracker } from '../../../features/issues/namesakes.ts';
import { useWorkspaces } from '../../../features/workspaces/queries.ts';
import { useTheme } from '../../../theme/theme-store.ts';
import { addressOfIssue, type FoundIssue, nothingFoundText } from './issue-query.ts';
import { filterItems } from './item-filter.ts';
import classes from './palette.module.css';
import { type PaletteGroup, paletteItems } from './palette-items.tsx';
import { paletteStore } from './palette-store.ts';
import { type IssueSearch, useIssueSearch } from './use-issue-search.ts';

const NO_PROJECTS: readonly Project[] = [];
const NO_WORKSPACES: readonly Workspace[] = [];
const LIST_ID = 'palette-list';
const FIELD = 'Go to a screen, a project or an issue';
const LINE_PARTS = {
  actionBody: classes.body ?? '',
  actionLabel: classes.label ?? '',
  actionDescription: classes.description ?? '',
};

function issueGroup(
  issues: readonly FoundIssue[],
  trackerOf: NamesakeLookup,
  go: (to: string) => void,
): PaletteGroup[] {
  if (issues.length === 0) return [];
  const items = issues.map((issue) => ({
    id: `issue-${issue.id}`,
    label: `Open issue ${withTracker(issue.key, trackerOf(issue.project_id))}`,
    description: issue.title,
    icon: <StatusIcon status={issue.status} />,
    choose: () => go(addressOfIssue(issue)),
  }));
  return [{ label: 'Issues', items }];
}

/**
 * Returns the status line of the palette: search in progress, search error, or no results. Returns
 * null in all other cases.
 */
function statusText(
  { query, issues, searching, notice, problem }: IssueSearch,
  hasLines: boolean,
): string | null {
  if (searching) return 'Searching issues…';
  if (problem !== null) return `Issues could not be searched. ${problem}`;
  if (query === null) return hasLines ? null : 'No matches';
  return issues.length > 0 || hasLines ? null : (notice ?? nothingFoundText(query));
}

/** Selects the first item when items appear in an empty list, so that Enter opens it. */
function useFirstLineChosen(lines: readonly string[]): void {
  const shown = lines.join(' ');
  useEffect(() => {
    const list = shown === '' ? null : document.getElementById(LIST_ID);
    if (list === null || list.querySelector('[data-selected]') !== null) return;
    if (!paletteStore.getState().opened || paletteStore.getState().query === '') return;
    list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
    paletteStore.updateState((state) => ({ ...state, selected: 0 }));
  }, [shown]);
}

/**
 * Command palette, opened with Ctrl+K or Cmd+K. It finds screens, projects, and issues by key or
 * words.
 */
export function Palette() {
  const navigate = useNavigate();
  const { scheme } = useTheme();
  const [typed, setTyped] = useState('');
  const { data: projects = NO_PROJECTS } = useQuery({
    queryKey: queryKeys.issues.projects(),
    queryFn: ({ signal }) => api('GET', '/projects', { schema: projectList, signal }),
  });
  const { data: workspaces = NO_WORKSPACES } = useWorkspaces();
  const search = useIssueSearch(typed);
  const go = (to: string) => void navigate(to);
  const trackerOf = namesakeLookup(projects);
  const groups = [
    ...filterItems(paletteItems(projects, workspaces, scheme, go), typed),
    ...issueGroup(search.issues, trackerOf, go),
  ];
  const status = statusText(search, groups.length > 0);
  useFirstLineChosen(groups.flatMap(({ items }) => items.map(({ id }) => id)));
  return (
    <Spotlight.Root
      store={paletteStore}
      query={typed}
      onQueryChange={setTyped}
      shortcut="mod + K"
      scrollable
      maxHeight={420}
      yOffset="12dvh"
      overlayProps={{ color: 'var(--scrim)', backgroundOpacity: 1, blur: 0 }}
      centered={false}
      tagsToIgnore={[]}
      attributes={{ content: { 'aria-label': 'Go to' } }}
    >
      <Spotlight.Search
        leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
        placeholder={FIELD}
        aria-label={FIELD}
      />
      {groups.length === 0 ? null : (
        <Spotlight.ActionsList id={LIST_ID} className={classes.list ?? ''}>
          {groups.map((group) => (
            <Spotlight.ActionsGroup key={group.label} label={group.label}>
              {group.items.map(({ id, label, description, icon, choose }) => (
                <Spotlight.Action
                  key={id}
                  label={label}
                  {...(description === undefined ? {} : { description })}
                  leftSection={icon}
                  highlightQuery
                  classNames={LINE_PARTS}
                  onClick={choose}
                />
              ))}
            </Spotlight.ActionsGroup>
          ))}
        </Spotlight.ActionsList>
      )}
      <p
        className={
          status === null ? 'vh' : `${classes.status} ${search.problem === null ? '' : classes.problem}`
        }
        role="status"
      >
        {status}
      </p>
    </Spotlight.Root>
  );
}
