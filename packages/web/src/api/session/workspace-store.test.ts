import { expect, test } from 'vitest';
import type { KeyValueStorage } from './token-store.ts';
import { createWorkspaceStore } from './workspace-store.ts';

const ACME = '0b7c1c9e-51f3-4f0e-9d0a-1f7d2f6f3a01';
const OTHER = '7c8d9e0f-1a2b-4c3d-9e4f-5a6b7c8d9e16';
const PAGE = new URL('https://winnow.test/console');

function storage(): KeyValueStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

test('a tab keeps its workspace while another tab selects one; a new tab has the last selection', () => {
  const lasting = storage();
  const [one, two, three] = [storage(), storage(), storage()];
  const first = createWorkspaceStore(one, lasting, PAGE);
  expect(first.selected()).toBeNull();
  createWorkspaceStore(two, lasting, PAGE).select(ACME);
  expect(first.selected()).toBeNull();
  expect(createWorkspaceStore(one, lasting, PAGE).selected()).toBeNull();
  expect(createWorkspaceStore(three, lasting, PAGE).selected()).toBe(ACME);
});

test('a shared link selects its workspace, and a value that is no id is ignored', () => {
  const [tab, lasting] = [storage(), storage()];
  const link = (id: string) => new URL(`https://winnow.test/console/issues?workspace=${id}`);
  expect(createWorkspaceStore(tab, lasting, link(ACME)).selected()).toBe(ACME);
  expect(createWorkspaceStore(tab, lasting, link('acme')).selected()).toBe(ACME);
  expect(createWorkspaceStore(tab, lasting, link(OTHER)).selected()).toBe(OTHER);
  createWorkspaceStore(tab, lasting, PAGE).select(null);
  expect(createWorkspaceStore(storage(), lasting, PAGE).selected()).toBeNull();
});
