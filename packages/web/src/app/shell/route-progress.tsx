import { useNavigation } from 'react-router';
import classes from './route-progress.module.css';

/** Progress line while the next screen's code loads, shown only after a short delay. */
export function RouteProgress() {
  const { state } = useNavigation();
  return state === 'idle' ? null : <span className={classes.line} role="status" aria-label="Loading" />;
}
