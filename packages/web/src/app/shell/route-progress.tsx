import { useNavigation } from 'react-router';
import classes from './route-progress.module.css';

/** Progress bar while the code of the next screen loads. Appears only after a short delay. */
export function RouteProgress() {
  const { state } = useNavigation();
  return state === 'idle' ? null : <span className={classes.line} role="status" aria-label="Loading" />;
}
