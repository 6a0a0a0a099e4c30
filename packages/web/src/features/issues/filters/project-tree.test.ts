import type { Organization, Project } from '@winnow/contract/issue';
import { describe, expect, test } from 'vitest';
import { projectNames } from './filter-texts.ts';
import { groupProjects, groupState, toggleGroup, toggleProject, toProjectFilter } from './project-tree.ts';

function organization(id: string, name: string): Organization {
  return { id, name, identifier: name, tracker_id: 't' };
}

function project(id: string, name: string, organizationId: string): Project {
  const tracker = {
    tracker_id: 't',
    tracker_name: 'T',
    tracker_type: 'github',
    has_namesake: false,
  } as const;
  const shared = { identifier: name, ...tracker, issues: 4 } as const;
  return { ...shared, id, name, organization_id: organizationId };
}

const groups = groupProjects(
  [organization('o1', 'skua'), organization('o2', 'auk'), organization('o3', 'empty')],
  [
    project('AAAAAAAA-0000-4000-8000-000000000000', 'web', 'o1'),
    project('bbbbbbbb-0000-4000-8000-000000000000', 'sync', 'o1'),
    project('cccccccc-0000-4000-8000-000000000000', 'docs', 'o2'),
    project('dddddddd-0000-4000-8000-000000000000', 'lost', 'gone'),
  ],
);
const [auk, , skua] = groups;

describe('the projects tree', () => {
  test('adds the tracker to the name of an organization that also exists in another tracker', () => {
    const mirrored = [
      { ...project('11111111-0000-4000-8000-000000000000', 'web', 'o1'), has_namesake: true },
      {
        ...project('22222222-0000-4000-8000-000000000000', 'web', 'o2'),
        has_namesake: true,
        tracker_name: 'Mirror',
        tracker_type: 'gitlab' as const,
      },
    ];
    const found = groupProjects([organization('o1', 'skua'), organization('o2', 'skua')], mirrored);
    expect(found.map(({ name }) => name)).toEqual(['skua in Mirror (GitLab)', 'skua in T (GitHub)']);
    expect(projectNames(['22222222'], mirrored)).toBe('web in Mirror (GitLab)');
  });

  test('groups projects by organization, sorted by name, and omits organizations without projects', () => {
    expect(groups.map(({ name, projects }) => [name, projects.map((item) => item.name)])).toEqual([
      ['auk', ['docs']],
      ['Other projects', ['lost']],
      ['skua', ['sync', 'web']],
    ]);
  });

  test('reports whether all, some or no projects of a group are selected', () => {
    if (!skua) throw new Error('The group is missing.');
    expect(groupState(skua, [])).toBe('none');
    expect(groupState(skua, ['aaaaaaaa'])).toBe('some');
    expect(groupState(skua, ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'])).toBe('all');
  });

  test('selects all projects of a partly selected group, then none, without affecting other groups', () => {
    if (!skua) throw new Error('The group is missing.');
    const all = toggleGroup(['cccccccc', 'aaaaaaaa'], skua);
    expect(all.toSorted()).toEqual(['aaaaaaaa', 'bbbbbbbb', 'cccccccc']);
    expect(toggleGroup(all, skua)).toEqual(['cccccccc']);
  });

  test('restores the selection when a project is toggled twice', () => {
    expect(toggleProject(toggleProject(['x'], 'y'), 'y')).toEqual(['x']);
    expect(auk?.projects[0]?.segment).toBe('cccccccc');
  });

  test('returns an empty filter if all projects are selected, and drops deleted projects', () => {
    expect(toProjectFilter(['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd'], groups)).toEqual([]);
    expect(toProjectFilter(['aaaaaaaa', '99999999'], groups)).toEqual(['aaaaaaaa']);
    expect(toProjectFilter([], groups)).toEqual([]);
  });
});
