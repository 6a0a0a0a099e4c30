import './app/theme/layers.css';
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './app/theme/tokens.css';
import './app/theme/base.css';
import './app/theme/parts.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { startErrorReporting } from './app/error-reporting.ts';
import { followSession } from './app/follow-session.ts';
import { startLive } from './app/live/live.ts';
import { router } from './app/router.tsx';
import { refreshTheme, watchTheme } from './app/theme/theme-store.ts';
import { noteUiVersion } from './app/ui-version.ts';

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
