import { NavLink } from 'react-router';
import { Page, type PageProps } from '../../ui/page.tsx';
import classes from './settings-page.module.css';
import { SETTINGS_TABS } from './settings-tabs.ts';

/** A screen of the settings, with the way to the others above it. */
export function SettingsPage({ children, ...rest }: PageProps) {
  return (
    <Page {...rest}>
      <nav className={classes.tabs} aria-label="Settings">
        {SETTINGS_TABS.map(({ to, label }) => (
          <NavLink key={to} to={to} className={classes.tab ?? ''} ref={intoView}>
            {label}
          </NavLink>
        ))}
      </nav>
      {children}
    </Page>
  );
}

/** On a phone the row is longer than the screen. */
function intoView(tab: HTMLAnchorElement | null): void {
  if (tab?.getAttribute('aria-current') !== 'page' || tab.parentElement === null) return;
  tab.parentElement.scrollLeft = tab.offsetLeft - (tab.parentElement.clientWidth - tab.offsetWidth) / 2;
}
