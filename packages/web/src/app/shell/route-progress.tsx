import { useNavigation } from 'react-router';
import classes from './route-progress.module.css';

/** A line at the top while the next screen's code is on its way. It waits a moment, so most never see it. */
export function RouteProgress() {
  const { state } = useNavigation();
  return state === 'idle' ? null : <span className={classes.line} role="status" aria-label="Loading" />;
}
