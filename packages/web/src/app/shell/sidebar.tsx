import { Collapse, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconChevronDown, IconSearch } from '@tabler/icons-react';
import { useId } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useProposalsCount } from '../../features/decisions/queries.ts';
import { pairsText, queueText } from '../../features/pairs/pair-texts.ts';
import { useMark, usePairsCount } from '../../features/pairs/queries.ts';
import { useTrackers } from '../../features/trackers/tracker-list.ts';
import { Wordmark } from '../../theme/parts/logo.tsx';
import { KeyCap, modifierName } from '../../ui/keyboard/key-cap.tsx';
import { countText } from '../../ui/texts/count-text.ts';
import { type NavigationGroup, SCREEN_GROUPS, type ScreenLink, TOP_SCREENS } from './navigation.ts';
import { palette } from './palette/palette-store.ts';
import classes from './sidebar.module.css';
import { SyncCard } from './sync-card.tsx';

const COUNT_TEXTS: Record<NonNullable<ScreenLink['count']>, (count: number) => string> = {
  trackers: () => '',
  pairs: (count) => (count === 1 ? ' pair to decide' : ' pairs to decide'),
  proposals: () => ' waiting for approval',
};

function Count({ of }: { of: NonNullable<ScreenLink['count']> }) {
  const trackers = useTrackers().data?.length;
  const pairs = usePairsCount().data;
  const proposals = useProposalsCount().data;
  const mark = useMark();
  const count = { trackers, pairs, proposals }[of];
  if (count === undefined || count === 0) return null;
  return (
    <span className={classes.count} title={of === 'pairs' ? queueText(mark) : undefined}>
      {of === 'pairs' ? pairsText(count) : countText(count)}
      <span className="vh">{COUNT_TEXTS[of](count)}</span>
    </span>
  );
}

function Group({ group, onNavigate }: { group: NavigationGroup; onNavigate: () => void }) {
  const listId = useId();
  const { pathname } = useLocation();
  const holdsCurrent = group.items.some(({ to }) => pathname.startsWith(to));
  const [open, setOpen] = useLocalStorage({
    key: `sidebar-${group.id}-open`,
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const Glyph = group.icon;
  return (
    <li>
      <UnstyledButton
        className={classes.group}
        aria-expanded={open}
        aria-controls={listId}
        data-current={!open && holdsCurrent ? true : undefined}
        onClick={() => setOpen(!open)}
      >
        <Glyph size={16} stroke={1.75} aria-hidden />
        {group.label}
        <IconChevronDown size={14} stroke={1.75} aria-hidden className={classes.chevron} />
      </UnstyledButton>
      <Collapse expanded={open} transitionDuration={150}>
        <ul className={classes.sub} id={listId}>
          {group.items.map((item) => (
            <li key={item.to}>
              <NavLink to={item.to} className={classes.item ?? ''} end onClick={onNavigate}>
                {item.label}
                {item.count ? <Count of={item.count} /> : null}
              </NavLink>
            </li>
          ))}
        </ul>
      </Collapse>
    </li>
  );
}

/** Content of the sidebar and of the drawer: navigation and running jobs. */
export function Sidebar({ onNavigate }: { onNavigate: () => void }) {
  return (
    <div className={classes.side}>
      <Link to="/console" className={classes.brand} onClick={onNavigate} aria-label="Winnow, Overview">
        <Wordmark />
      </Link>
      <UnstyledButton
        className={classes.find}
        onClick={() => {
          onNavigate();
          palette.open();
        }}
      >
        <IconSearch size={14} stroke={1.75} aria-hidden />
        <span className={classes.grow}>Go to</span>
        <KeyCap>{`${modifierName(navigator.platform)} K`}</KeyCap>
      </UnstyledButton>
      <nav aria-label="Console">
        <ul className={classes.list}>
          {TOP_SCREENS.map(({ icon: Glyph, ...item }) => (
            <li key={item.to}>
              <NavLink
                to={item.to}
                className={classes.item ?? ''}
                end={item.to === '/console'}
                onClick={onNavigate}
              >
                <Glyph size={16} stroke={1.75} aria-hidden />
                {item.label}
                {item.count ? <Count of={item.count} /> : null}
              </NavLink>
            </li>
          ))}
          {SCREEN_GROUPS.map((group) => (
            <Group key={group.id} group={group} onNavigate={onNavigate} />
          ))}
        </ul>
      </nav>
      <SyncCard />
    </div>
  );
}
