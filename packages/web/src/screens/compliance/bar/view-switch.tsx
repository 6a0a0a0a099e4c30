import { SegmentedControl } from '@mantine/core';
import { IconGrain, IconList } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ViewName } from '../search-params.ts';
import classes from './bar.module.css';

const ICON = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;
const VIEWS = [
  {
    value: 'list',
    label: (
      <span className={classes.view}>
        <IconList {...ICON} />
        List
      </span>
    ),
  },
  {
    value: 'map',
    label: (
      <span className={classes.view}>
        <IconGrain {...ICON} />
        Map
      </span>
    ),
  },
] satisfies { value: ViewName; label: ReactNode }[];

/** Switches between two views: only the issue list, or a map above the issue list. */
export function ViewSwitch({ view, onView }: { view: ViewName; onView: (view: ViewName) => void }) {
  return (
    <SegmentedControl
      aria-label="Show as"
      classNames={{ label: classes.viewLabel ?? '' }}
      data={VIEWS}
      value={view}
      onChange={(value) => onView(value === 'map' ? 'map' : 'list')}
    />
  );
}
