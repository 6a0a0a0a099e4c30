import { Drawer } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Suspense } from 'react';
import { Outlet } from 'react-router';
import { Header } from './header.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import { MessageNotice } from './message-notice.tsx';
import { Palette } from './palette/palette.tsx';
import { RouteProgress } from './route-progress.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { useScreenChange } from './use-screen-change.ts';

/** Layout of the console: sidebar or drawer, header and screen. */
export function ConsoleShell() {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const [drawerOpen, drawer] = useDisclosure(false);
  const { title, headingRef } = useScreenChange();
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      {narrow ? (
        <Drawer
          opened={drawerOpen}
          onClose={drawer.close}
          size={288}
          withCloseButton={false}
          title={<span className="vh">Navigation</span>}
          classNames={{ body: classes.drawerBody ?? '', header: 'vh', content: classes.drawer ?? '' }}
        >
          <Sidebar onNavigate={drawer.close} />
        </Drawer>
      ) : (
        <aside className={classes.side} aria-label="Sidebar">
          <Sidebar onNavigate={drawer.close} />
        </aside>
      )}
      <div className={classes.main}>
        <Header title={title} headingRef={headingRef} narrow={narrow} onOpenNavigation={drawer.open} />
        <main className={classes.content} id="content" tabIndex={-1}>
          <MessageNotice />
          <div className={classes.screen}>
            <Suspense>
              <Outlet />
            </Suspense>
          </div>
        </main>
      </div>
      <RouteProgress />
      <Palette />
      <KeyboardHelp />
    </div>
  );
}
