import { IconCopy } from '@tabler/icons-react';
import { Badge } from '../ui/badge.tsx';
import { Meter } from '../ui/meter.tsx';
import { StatusIcon } from '../ui/status.tsx';
import classes from './pair-illustration.module.css';

function Shared({ number, children }: { number: number; children: string }) {
  return (
    <span className={classes.mark}>
      {children}
      <sup>{number}</sup>
    </span>
  );
}

/** Two reports of one bug as the console shows them. Decoration: it is hidden from assistive technology. */
export function PairIllustration() {
  return (
    <div className={classes.stack}>
      <div className={classes.card}>
        <div className={classes.verdict}>
          <Badge tone="warning" icon={IconCopy}>
            Duplicate
          </Badge>
          <span className={classes.score}>93.41%</span>
          <span className={classes.bar}>
            <Meter value={0.9341} />
          </span>
        </div>
        <div className={classes.two}>
          <article>
            <p className={classes.head}>
              <StatusIcon status="Open" />
              <code>mobile#212</code>
            </p>
            <h2>Theme is light again after every restart</h2>
            <p className={classes.said}>
              I choose the dark theme and <Shared number={1}>close the app from the app switcher</Shared>.
              When I open it, <Shared number={2}>the setting is back to light</Shared>.
            </p>
          </article>
          <article>
            <p className={classes.head}>
              <StatusIcon status="Open" />
              <code>mobile#267</code>
            </p>
            <h2>App forgets the dark theme on Android 15</h2>
            <p className={classes.said}>
              Since the last update, when I <Shared number={1}>close the app from the app switcher</Shared>,
              then <Shared number={2}>the setting is back to light</Shared> the next morning.
            </p>
          </article>
        </div>
        <div className={classes.foot}>
          <span>Close #267 as a duplicate of #212</span>
          <span>3 writes, shown before they are made</span>
        </div>
      </div>
    </div>
  );
}
