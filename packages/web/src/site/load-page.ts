import type { ComponentType } from 'react';
import type { SitePage } from './content/page-table.ts';

const loaders = import.meta.glob<ComponentType>('./pages/*/page.tsx', { import: 'Page' });

/**
 * Loads the code of a page. Throws if the folder contains no page, or if the code cannot be loaded.
 */
export async function loadPage({ folder }: SitePage): Promise<ComponentType> {
  const load = loaders[`./pages/${folder}/page.tsx`];
  if (load === undefined) throw new Error(`src/site/pages/${folder}/page.tsx not found.`);
  return load();
}
