import { IconMenu2, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Wordmark } from '../../theme/parts/logo.tsx';
import { useIsSignedIn } from '../session/visitor.ts';
import { ButtonLink } from '../ui/button.tsx';
import classes from './header.module.css';

/**
 * The header of every public page. At a width of up to 768 px, a menu button shows and hides the
 * links.
 */
export function Header({ path }: { path: string }) {
  // Path of the page on which the user opened the menu. The menu closes on navigation to another
  // path. Null if the menu is closed.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === path;
  const isSignedIn = useIsSignedIn();
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpenAt(null);
    };
    window.addEventListener('keydown', close);
    return () => window.removeEventListener('keydown', close);
  }, [isOpen]);
  const linkTo = (target: string, name: string) => (
    <Link href={target} className={classes.link} {...(path === target ? { 'aria-current': 'page' } : {})}>
      {name}
    </Link>
  );
  return (
    <header className={classes.header}>
      <div className={classes.bar}>
        <Link href="/" className={classes.brand} aria-label="Winnow home page">
          <Wordmark size={24} />
        </Link>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls="site-navigation"
          aria-label={isOpen ? 'Close the menu' : 'Menu'}
          onClick={() => setOpenAt(isOpen ? null : path)}
        >
          {isOpen ? <IconX size={20} aria-hidden /> : <IconMenu2 size={20} aria-hidden />}
        </button>
        <nav
          id="site-navigation"
          aria-label="Main"
          className={classes.navigation}
          data-open={isOpen || undefined}
        >
          {linkTo('/docs', 'Docs')}
          {linkTo('/pricing', 'Pricing')}
          <span className={classes.space} />
          {isSignedIn ? (
            <ButtonLink href="/console" kind="primary">
              Console
            </ButtonLink>
          ) : (
            <>
              {linkTo('/login', 'Sign in')}
              <ButtonLink href="/register" kind="primary">
                Sign Up
              </ButtonLink>
            </>
          )}
        </nav>
      </div>
    </header>
  );
}
