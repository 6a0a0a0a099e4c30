import { expect, test } from 'vitest';
import { mutualFolders } from './mutual-folders.mjs';

const modulesOf = (imports) =>
  imports.map(([source, resolved]) => ({ source, dependencies: [{ resolved }] }));

test('folders that import each other are found, at any depth below them', () => {
  const modules = modulesOf([
    ['web/issues/list.ts', 'web/ledger/queries/changes.ts'],
    ['web/ledger/toast.ts', 'web/issues/key.ts'],
  ]);
  expect(mutualFolders(modules)).toEqual([
    {
      folders: ['web/issues', 'web/ledger'],
      imports: [
        'web/issues/list.ts → web/ledger/queries/changes.ts',
        'web/ledger/toast.ts → web/issues/key.ts',
      ],
    },
  ]);
});

test('a folder and its subfolder may import each other', () => {
  const modules = modulesOf([
    ['web/similarity/screen.ts', 'web/similarity/list/rows.ts'],
    ['web/similarity/list/rows.ts', 'web/similarity/review.ts'],
  ]);
  expect(mutualFolders(modules)).toEqual([]);
});

test('imports in one direction and imports of tests are allowed', () => {
  const modules = modulesOf([
    ['web/issues/list.ts', 'web/ledger/changes.ts'],
    ['web/ledger/changes.test.ts', 'web/issues/list.ts'],
    ['web/ledger/testing/ledger.ts', 'web/issues/list.ts'],
  ]);
  expect(mutualFolders(modules)).toEqual([]);
});
