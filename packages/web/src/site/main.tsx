import './styles.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { startErrorReporting } from '../app/error-reporting.ts';
import { noteUiVersion } from '../app/ui-version.ts';
import { nameInlineStyles } from './inline-styles.ts';
import { loadPage, NOT_FOUND, pageAt } from './page-table.ts';
import { Site } from './site.tsx';
import { startVisit } from './visit.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id "root".');

const path = window.location.pathname;
const page = pageAt(path) ?? pageAt(NOT_FOUND);
if (page === undefined) throw new Error('The site has no page for addresses that lead nowhere.');

nameInlineStyles();
const Page = await loadPage(page);
const site = <Site first={{ path, Page }} />;
// In development the page comes without its HTML.
if (root.firstElementChild === null) createRoot(root).render(site);
else hydrateRoot(root, site);
noteUiVersion();
startVisit();
void startErrorReporting();
