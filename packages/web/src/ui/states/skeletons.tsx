import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './skeletons.module.css';

/**
 * Announces the loading state to screen readers once. Hides the placeholder shapes inside from
 * them.
 */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status" aria-busy="true">
      <span className="vh">{label}</span>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}

/** Placeholder for a line of text. `width` is a CSS length, a percentage or a number of pixels. */
export function TextSkeleton({ width, height = 10 }: { width: string | number; height?: number }) {
  return <Skeleton width={width} height={height} />;
}

/**
 * Widths of the two text lines in a row. The widths vary between rows, like those of real titles.
 */
const LINE_WIDTHS = [
  ['62%', '54%'],
  ['48%', '66%'],
  ['70%', '44%'],
  ['56%', '60%'],
] as const;

export type RowsSkeletonProps = {
  rows: number;
  /**
   * Height of a row in pixels. If it equals the height of the real rows, nothing moves when the
   * data arrives.
   */
  rowHeight?: number;
  /** Number of text lines in a row. */
  lines?: 1 | 2;
};

/** Placeholder for rows of a list: text lines on the left, a number and a badge on the right. */
export function RowsSkeleton({ rows, rowHeight = 56, lines = 2 }: RowsSkeletonProps) {
  const widths = Array.from({ length: rows }, (_, row) => ({
    id: `row-${row}`,
    pair: LINE_WIDTHS[row % LINE_WIDTHS.length] ?? LINE_WIDTHS[0],
  }));
  return (
    <div>
      {widths.map(({ id, pair }) => (
        <div className={classes.row} style={{ height: rowHeight }} key={id}>
          <div className={classes.lines}>
            <TextSkeleton width={pair[0]} />
            {lines === 2 ? <TextSkeleton width={pair[1]} /> : null}
          </div>
          <TextSkeleton width={52} height={14} />
          <TextSkeleton width={84} height={20} />
        </div>
      ))}
    </div>
  );
}
