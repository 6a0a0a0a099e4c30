import './styles.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { startErrorReporting } from '../api/error-reporting.ts';
import { noteUiVersion } from '../api/ui-version.ts';
import { NOT_FOUND, pageAt } from './content/page-table.ts';
import { loadPage } from './load-page.ts';
import { Site } from './site.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id "root".');

const path = window.location.pathname;
const page = pageAt(path) ?? pageAt(NOT_FOUND);
if (page === undefined) throw new Error('The site has no page for unknown addresses.');

nameInlineStyles();
const Page = await loadPage(page);
const site = <Site first={{ path, Page }} />;
// In development, pages are not prerendered.
if (root.firstElementChild === null) createRoot(root).render(site);
else hydrateRoot(root, site);
noteUiVersion();
startVisit();
void startErrorReporting();

/**
 * Adds disabled stylesheet links for the styles that the build has inlined into the page (see
 * build.ts). The module loader finds these links and does not load the styles again.
 */
function nameInlineStyles(): void {
  const files = document.querySelector<HTMLStyleElement>('style[data-files]')?.dataset.files ?? '';
  for (const file of files.split(' ').filter(Boolean)) {
    const link = document.createElement('link');
    link.disabled = true;
    link.rel = 'stylesheet';
    link.href = file;
    document.head.append(link);
  }
}

/**
 * Starts the background tasks of a public page: the theme follows the system, and the live channel
 * opens. Their code is loaded when the browser is idle, because the page can be read without them.
 */
function startVisit(): void {
  const idle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 200));
  idle(() => {
    void import('../theme/theme-store.ts').then(({ watchTheme }) => watchTheme());
    void import('../api/live/visitor.ts').then(({ startVisitorChannel }) => startVisitorChannel());
  });
}
