import { Notifications } from '@mantine/notifications';
import { useHeightVariable } from '../use-height-variable.ts';
import classes from './toasts.module.css';

/**
 * The container of toasts. It is at the bottom, above the footer of the page or drawer, and never
 * covers the side panel.
 * `--h-toasts` reserves space in drawers and pages, so that toasts cover no text.
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
