import type { ProjectChoice } from '@winnow/contract/tracker';
import { describe, expect, test } from 'vitest';
import { selectionOfRules } from './scope-selection.ts';
import { tabStop, treeAction } from './tree-keys.ts';
import { type ProjectsState, type TreeInput, treeRows } from './tree-rows.ts';

function loaded(organization: string, ...names: string[]): ProjectsState {
  const projects = names.map((name): ProjectChoice => {
    const identifier = `${organization}/${name}`;
    return { id: identifier, identifier, name, type: 'project' };
  });
  return { status: 'loaded', projects };
}
const organizations = ['acme', 'beta', 'core'].map((id) => ({ id, name: id, visible: true }));
function input(parts: Partial<TreeInput> = {}): TreeInput {
  return {
    organizations,
    selection: selectionOfRules([
      { rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'acme' },
      { rule_type: 'EXCLUDE', scope_type: 'PROJECT', identifier: 'acme/web' },
    ]),
    future: true,
    projects: new Map([
      ['acme', loaded('acme', 'web', 'sync')],
      ['beta', loaded('beta')],
    ]),
    expanded: new Set(['acme']),
    query: '',
    ...parts,
  };
}
const ids = (parts?: Partial<TreeInput>) => treeRows(input(parts)).map(({ id }) => id);

describe('rows of the tree', () => {
  test('omits the projects of a collapsed organization', () => {
    expect(ids({ expanded: new Set() })).toEqual(['acme', 'beta', 'core']);
  });

  test('includes the projects of an expanded organization with their state and position', () => {
    const [first, web, sync] = treeRows(input());
    expect(first).toMatchObject({ kind: 'organization', state: 'some', expanded: true, siblings: 3 });
    expect(web).toMatchObject({ kind: 'project', id: 'acme?acme/web', selected: false, position: 1 });
    expect(sync).toMatchObject({ kind: 'project', selected: true, position: 2, siblings: 2 });
  });

  test('includes a message row if the projects of an expanded organization are loading, failed or missing', () => {
    const projects = new Map(input().projects).set('core', { status: 'failed', error: 'why' });
    const expanded = new Set(['beta', 'core']);
    expect(ids({ expanded, projects })).toEqual(['acme', 'beta', 'beta?empty', 'core', 'core?failed']);
    expect(ids({ expanded: new Set(['core']) })).toContain('core?loading');
  });

  test('includes only matching projects and expand their organization during a search', () => {
    expect(ids({ expanded: new Set(), query: ' SYN ' })).toEqual(['acme', 'acme?acme/sync']);
    const [organization] = treeRows(input({ expanded: new Set(), query: 'syn' }));
    expect(organization).toMatchObject({ expanded: true });
  });

  test('leaves a matching organization collapsed or expanded during a search', () => {
    expect(ids({ query: 'core' })).toEqual(['core']);
    expect(ids({ query: 'core', expanded: new Set(['core']) })).toEqual(['core', 'core?loading']);
  });
});

describe('keys', () => {
  const rows = treeRows(input());
  const act = (id: string, key: string) => treeAction(rows, id, key);

  test('ignores arrow keys at the ends of the tree, and all other keys', () => {
    expect(act('acme', 'a')).toBeNull();
    expect(act('acme', 'ArrowUp')).toBeNull();
    expect(act('core', 'ArrowDown')).toBeNull();
    expect(act('core', 'ArrowLeft')).toBeNull();
    expect(act('acme?acme/web', 'ArrowRight')).toBeNull();
  });

  test('moves the focus with arrow keys, Home and End', () => {
    expect(act('acme', 'ArrowDown')).toEqual({ type: 'focus', id: 'acme?acme/web' });
    expect(act('beta', 'ArrowUp')).toEqual({ type: 'focus', id: 'acme?acme/sync' });
    expect(act('beta', 'Home')).toEqual({ type: 'focus', id: 'acme' });
    expect(act('acme', 'End')).toEqual({ type: 'focus', id: 'core' });
  });

  test('expands and enters an organization with Right, and leaves and collapses it with Left', () => {
    expect(act('beta', 'ArrowRight')).toMatchObject({ type: 'expand', row: { id: 'beta' } });
    expect(act('acme', 'ArrowRight')).toEqual({ type: 'focus', id: 'acme?acme/web' });
    expect(act('acme?acme/sync', 'ArrowLeft')).toEqual({ type: 'focus', id: 'acme' });
    expect(act('acme', 'ArrowLeft')).toMatchObject({ type: 'collapse', row: { id: 'acme' } });
  });

  test('activates the focused row with Space and Enter', () => {
    for (const key of [' ', 'Enter']) {
      expect(act('acme?acme/web', key)).toMatchObject({ type: 'activate', row: { kind: 'project' } });
    }
  });

  test('focuses with Tab the row that had the focus last, or its organization if the row was removed', () => {
    expect(tabStop([], 'acme')).toBeNull();
    expect(tabStop(rows, null)).toBe('acme');
    expect(tabStop(rows, 'acme?acme/sync')).toBe('acme?acme/sync');
    expect(tabStop(rows, 'beta?beta/gone')).toBe('beta');
    expect(tabStop(rows, 'nowhere')).toBe('acme');
  });
});
