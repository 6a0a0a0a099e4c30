import './theme/layers.css';
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './theme/tokens.css';
import './theme/base.css';
import './theme/parts.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startErrorReporting } from './api/error-reporting.ts';
import { startLive } from './api/live/live.ts';
import { onAuthChange, watchOtherTabs } from './api/session/session.ts';
import { noteUiVersion } from './api/ui-version.ts';
import { App } from './app/app.tsx';
import { router } from './app/router.tsx';
import { refreshTheme, watchTheme } from './theme/theme-store.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root".');

watchTheme();
router.subscribe(refreshTheme);
followSession();
noteUiVersion();
startLive();
void startErrorReporting();

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

/**
 * Leaves the console when the session ends in any tab.
 * Opens `/` after a sign-out, and sign-in after a lost session. Loading a new page discards all
 * data of the session.
 */
function followSession(): void {
  watchOtherTabs();
  onAuthChange(({ reason }) => {
    if (reason === 'signed_out') window.location.assign('/');
    if (reason === 'lost') window.location.replace('/login');
  });
}
