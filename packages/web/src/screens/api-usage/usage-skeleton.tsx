import { Skeleton } from '@mantine/core';
import { Card } from '../../ui/card.tsx';
import { Loading, RowsSkeleton, TextSkeleton } from '../../ui/states/skeletons.tsx';
import classes from './api-usage.module.css';
import totalClasses from './totals.module.css';

const TOTALS = ['requests', 'latency', 'calls', 'cost', 'issues'];

/** Placeholder of the usage screen while loading. */
export function UsageSkeleton() {
  return (
    <Loading label="Loading API usage">
      <div className={classes.shown}>
        <Card className={totalClasses.card}>
          <div className={totalClasses.totals}>
            {TOTALS.map((name) => (
              <div className={totalClasses.total} key={name}>
                <TextSkeleton width={80} />
                <TextSkeleton width={64} height={36} />
                <TextSkeleton width="70%" />
              </div>
            ))}
          </div>
        </Card>
        <Card inset>
          <Skeleton height={252} mt={16} />
        </Card>
        <Card>
          <RowsSkeleton rows={5} rowHeight={36} lines={1} />
        </Card>
      </div>
    </Loading>
  );
}
