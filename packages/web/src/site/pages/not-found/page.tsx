import { ButtonLink } from '../../ui/button.tsx';
import classes from './page.module.css';

/** An address that leads nowhere. */
export function Page() {
  return (
    <div className={classes.page}>
      <p className={classes.status}>404</p>
      <h1>There is no page here</h1>
      <p className={classes.why}>The address may be mistyped, or the page was removed.</p>
      <ButtonLink href="/" kind="primary">
        Go to the start
      </ButtonLink>
    </div>
  );
}
