import { NavLink } from 'react-router';
import { Page, type PageProps } from '../../ui/page.tsx';
import classes from './settings-page.module.css';
import { SETTINGS_TABS } from './settings-tabs.ts';

/** A settings screen, with tabs that link to the other settings screens. */
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

/** Scrolls the current tab into view. On a phone, not all tabs are visible. */
function intoView(tab: HTMLAnchorElement | null): void {
  if (tab?.getAttribute('aria-current') !== 'page' || tab.parentElement === null) return;
  tab.parentElement.scrollLeft = tab.offsetLeft - (tab.parentElement.clientWidth - tab.offsetWidth) / 2;
}
