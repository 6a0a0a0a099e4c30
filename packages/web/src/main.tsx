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
import { noteUiVersion } from './api/ui-version.ts';
import { App } from './app/app.tsx';
import { followSession } from './app/follow-session.ts';
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
