import type { ReactNode } from 'react';
import classes from './page.module.css';
import { useHeightVariable } from './use-height-variable.ts';

export type PageProps = {
  children: ReactNode;
  /** How wide the content may grow: 960 px, 1200 px, or all there is (tables). */
  width?: 'normal' | 'large' | 'full';
  /** Stands above the content, and beside it in a second column from 1720 px. */
  aside?: ReactNode;
  /** A `SidePanel`: a column of its own from 1280 px, a drawer below. */
  panel?: ReactNode;
  /** A line that stays at the bottom, such as the key hints. */
  footer?: ReactNode;
};

/** The scrolling area of a screen with its gutters and columns. Every screen is one `Page`. */
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
