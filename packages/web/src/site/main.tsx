import './styles.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { startErrorReporting } from '../api/error-reporting.ts';
import { noteUiVersion } from '../api/ui-version.ts';
import { NOT_FOUND, pageAt } from './content/page-table.ts';
import { nameInlineStyles } from './inline-styles.ts';
import { loadPage } from './load-page.ts';
import { Site } from './site.tsx';
import { startVisit } from './visit.ts';

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
