import type { ReactNode } from 'react';
import classes from './page.module.css';
import { useHeightVariable } from './use-height-variable.ts';

export type PageProps = {
  children: ReactNode;
  /** Maximum width of the content: 960 px, 1200 px, or unlimited (for tables). */
  width?: 'normal' | 'large' | 'full';
  /** Content above the main content; from 1720 px in a second column. */
  aside?: ReactNode;
  /** A `SidePanel`: a separate column from 1280 px, a drawer on narrower screens. */
  panel?: ReactNode;
  /** A fixed line at the bottom, such as the key hints. */
  footer?: ReactNode;
};

/** The scrolling area of a screen, with margins and columns. Every screen is a `Page`. */
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
