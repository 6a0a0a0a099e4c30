import type { ReactNode } from 'react';
import classes from './page.module.css';
import { useHeightVariable } from './use-height-variable.ts';

export type PageProps = {
  children: ReactNode;
  /**
   * Maximum width of the content: `normal` is 960 px, `large` is 1200 px, and `full` has no limit
   * (for tables).
   */
  width?: 'normal' | 'large' | 'full';
  /** Content above the main content. On screens from 1720 px, it is in a second column. */
  aside?: ReactNode;
  /**
   * A `SidePanel`. On screens from 1280 px, it is a separate column; on narrower screens, a drawer.
   */
  panel?: ReactNode;
  /** Content in a fixed line at the bottom, such as the key hints. */
  footer?: ReactNode;
};

/** The scrollable content area of a screen, with margins and columns. Every screen is a `Page`. */
export function Page({ children, width = 'large', aside, panel, footer }: PageProps) {
  const foot = useHeightVariable('--h-page-foot');
  const content = (
    <div className={`${classes.content} ${width === 'full' ? '' : classes[width]}`}>{children}</div>
  );
  return (
    <div className={`${classes.work} ${panel ? classes.withPanel : ''}`}>
      <div className={classes.column}>
        <div className={classes.scroll}>
          {aside ? (
            <div className={classes.withAside}>
              <div className={classes.aside}>{aside}</div>
              {content}
            </div>
          ) : (
            content
          )}
        </div>
        {footer ? <div ref={foot}>{footer}</div> : null}
      </div>
      {panel}
    </div>
  );
}
