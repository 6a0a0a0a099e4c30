import { Notifications } from '@mantine/notifications';
import { useHeightVariable } from '../use-height-variable.ts';
import classes from './toasts.module.css';

/**
 * Where toasts appear: at the bottom, above the foot of the page or drawer, and never over a panel beside a list. A
 * drawer's text yields to them (`--h-toasts`), and a page can be scrolled out from under them.
 */
export function Toasts() {
  const height = useHeightVariable('--h-toasts');
  return (
    <div className={classes.place} ref={height}>
      <Notifications
        position="bottom-right"
        autoClose={8000}
        limit={4}
        withinPortal={false}
        className={classes.group ?? ''}
      />
    </div>
  );
}
