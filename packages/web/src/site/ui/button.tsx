import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { pageAt } from '../content/page-table.ts';
import classes from './button.module.css';

interface ButtonStyle {
  /** Visual style. Use `primary` at most once per view. Default: `plain`. */
  kind?: 'primary' | 'plain';
  size?: 'md' | 'lg';
  wide?: boolean;
}

function classOf({ kind = 'plain', size = 'md', wide = false }: ButtonStyle): string {
  return [classes.button, classes[kind], classes[size], wide ? classes.wide : ''].join(' ');
}

export interface ButtonProps extends ButtonStyle, Omit<ComponentProps<'button'>, 'className'> {
  /**
   * True while the action runs. The button then shows a spinner and ignores clicks, but retains the
   * focus.
   */
  isBusy?: boolean;
}

/** A button of the public site. */
export function Button({
  kind = 'plain',
  size = 'md',
  wide = false,
  isBusy = false,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classOf({ kind, size, wide })}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {isBusy ? <span className={classes.spinner} aria-hidden /> : null}
      {children}
    </button>
  );
}

export interface ButtonLinkProps extends ButtonStyle {
  href: string;
  /** True to open the link in a new tab. */
  newTab?: boolean;
  children: ReactNode;
}

/** A link that looks like a button. */
export function ButtonLink({ href, newTab = false, children, ...look }: ButtonLinkProps) {
  const className = classOf(look);
  if (newTab) {
    return (
      <a href={href} target="_blank" rel="noopener" className={className}>
        {children}
      </a>
    );
  }
  if (pageAt(href.split(/[?#]/, 1)[0] ?? '') === undefined) {
    return (
      <a href={href} className={className}>
        {children}
      </a>
    );
  }
  return (
    <Link href={href} className={className}>
      {children}
    </Link>
  );
}
