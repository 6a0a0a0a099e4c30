import '../../../../theme/layers.css';
import '../../../../theme/tokens.css';
import '../../../../theme/base.css';
import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { Badge } from '../../../../theme/parts/badge.tsx';
import { Meter } from '../../../../theme/parts/meter.tsx';
import { Page } from '../../../page.tsx';
import { RelativeTime } from '../../../texts/relative-time.tsx';
import { DataList } from '../../data-list.tsx';
import { type Column, RowTitle } from '../../data-table.tsx';
import { useListWalk } from '../../use-list-walk.ts';
import classes from './long-list.module.css';

const ROWS = 10_000;
const HOUR_MS = 3_600_000;
/** Arbitrary time of the newest row. All other rows are older. */
const NEWEST = Date.UTC(2026, 0, 1);

type Item = { id: string; key: string; title: string; share: number; at: string };

const ITEMS: Item[] = Array.from({ length: ROWS }, (_, index) => ({
  id: `item-${index}`,
  key: `acme/web#${index + 1}`,
  title: `Item ${index + 1}: the export stops at the first attachment that cannot be read`,
  share: ((index * 37) % 101) / 100,
  at: new Date(NEWEST - index * HOUR_MS).toISOString(),
}));

const COLUMNS: Column<Item>[] = [
  { id: 'key', head: 'Key', className: classes.key, cell: ({ key }) => key },
  { id: 'title', head: 'Title', cell: ({ title }) => <RowTitle to="/" title={title} /> },
  { id: 'share', head: 'Score', cell: ({ share }) => <Meter value={share} thin /> },
  { id: 'status', head: 'Status', cell: ({ share }) => <Badge>{share > 0.5 ? 'Ready' : 'Not ready'}</Badge> },
  { id: 'at', head: 'Updated', cell: ({ at }) => <RelativeTime at={at} /> },
];

function LongList() {
  const walk = useListWalk({
    ids: ITEMS.map(({ id }) => id),
    page: 1,
    pageSize: ROWS,
    total: ROWS,
    selectedId: null,
    go: () => undefined,
  });
  return (
    <div className={classes.screen}>
      <Page width="full">
        <DataList
          list={{ rows: ITEMS, error: null, stale: false, retrying: false, retry: () => undefined }}
          label="Items"
          loadingLabel="Loading items"
          skeletonRows={10}
          columns={COLUMNS}
          classes={classes}
          walk={walk}
          onOpen={() => undefined}
          empty={null}
        />
      </Page>
    </div>
  );
}

/** Measures the duration of each animation frame in milliseconds. The benchmark calls it. */
function frameDurations(durationMs: number): Promise<number[]> {
  return new Promise((resolve) => {
    const durations: number[] = [];
    const start = performance.now();
    let last = start;
    const frame = (now: number) => {
      durations.push(now - last);
      last = now;
      if (now - start < durationMs) requestAnimationFrame(frame);
      else resolve(durations.slice(1));
    };
    requestAnimationFrame(frame);
  });
}
Object.assign(window, { frameDurations });

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
createRoot(root).render(
  <MantineProvider>
    <MemoryRouter>
      <LongList />
    </MemoryRouter>
  </MantineProvider>,
);
