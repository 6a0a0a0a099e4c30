import { ButtonLink } from '../../ui/button.tsx';
import classes from './page.module.css';

/** The page for unknown addresses. */
export function Page() {
  return (
    <div className={classes.page}>
      <p className={classes.status}>404</p>
      <h1>Page not found</h1>
      <p className={classes.why}>Check the address, or the page may have been removed.</p>
      <ButtonLink href="/" kind="primary">
        Go to the home page
      </ButtonLink>
    </div>
  );
}
