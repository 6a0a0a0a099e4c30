import type { ReactNode } from 'react';
import classes from './pair-picture.module.css';

function Report({ issueKey, title, children }: { issueKey: string; title: string; children: ReactNode }) {
  return (
    <div>
      <p className={classes.key}>{issueKey}</p>
      <p className={classes.title}>{title}</p>
      <p className={classes.text}>{children}</p>
    </div>
  );
}

/**
 * An illustration of two similar reports. It is decorative and therefore hidden from screen
 * readers.
 */
export function PairPicture() {
  return (
    <div className={classes.card} aria-hidden="true">
      <div className={classes.head}>
        <span>Two similar reports</span>
      </div>
      <div className={classes.reports}>
        <Report issueKey="mobile#212" title="Theme is light again after every restart">
          I choose the dark theme and <mark>close the app from the app switcher</mark>. When I open it,{' '}
          <mark>the setting is back to light</mark>.
        </Report>
        <Report issueKey="mobile#267" title="App forgets the dark theme on Android 15">
          Since the last update, when I <mark>close the app from the app switcher</mark>, then{' '}
          <mark>the setting is back to light</mark> the next morning.
        </Report>
      </div>
      <div className={classes.foot}>
        <span>Close #267 as a duplicate of #212</span>
        <span>3 writes, each shown in advance</span>
      </div>
    </div>
  );
}
