import { Skeleton } from '@mantine/core';
import { Loading, TextSkeleton } from '../../../ui/states/skeletons.tsx';
import classes from './cards-skeleton.module.css';
import card from './tracker-card.module.css';

function CardSkeleton() {
  return (
    <div className={card.card}>
      <div className={card.head}>
        <Skeleton width={40} height={40} radius="md" />
        <div className={classes.lines}>
          <TextSkeleton width={112} height={12} />
          <TextSkeleton width={56} />
        </div>
      </div>
      <div className={classes.rest}>
        <TextSkeleton width={128} />
        <TextSkeleton width={96} height={22} />
        <TextSkeleton width="80%" />
      </div>
      <div className={card.sync}>
        <TextSkeleton width="60%" height={12} />
        <TextSkeleton width="90%" />
      </div>
      <div className={card.actions}>
        <TextSkeleton width={92} height={28} />
      </div>
    </div>
  );
}

/** Placeholder of the trackers screen while the trackers are loading. */
export function CardsSkeleton() {
  return (
    <Loading label="Loading trackers">
      <div className={classes.bar}>
        <TextSkeleton width={154} height={32} />
      </div>
      <div className={classes.grid}>
        {['first', 'second', 'third'].map((place) => (
          <CardSkeleton key={place} />
        ))}
      </div>
    </Loading>
  );
}
