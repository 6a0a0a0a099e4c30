import { ActionIcon } from '@mantine/core';
import { type Icon, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { pageRange } from './page-range.ts';
import classes from './pagination.module.css';

export type PaginationProps = {
  /** Current page, counted from 1. */
  page: number;
  pageSize: number;
  total: number;
  /** Text that replaces the total if the total is not exact. */
  totalText?: string;
  /** Returns the URL of a page with the current filters, such as `?page=2`. */
  hrefFor: (page: number) => string;
};

function Step({ label, icon: Glyph, to }: { label: string; icon: Icon; to: string | null }) {
  const glyph = <Glyph size={16} stroke={1.75} aria-hidden />;
  return to === null ? (
    <ActionIcon aria-label={label} disabled variant="transparent">
      {glyph}
    </ActionIcon>
  ) : (
    <ActionIcon component={Link} to={to} aria-label={label} preventScrollReset>
      {glyph}
    </ActionIcon>
  );
}

/**
 * The line below a list: the displayed range, the total, and links to the previous and next page.
 */
export function Pagination({ page, pageSize, total, totalText, hrefFor }: PaginationProps) {
  const shown = pageRange(page, pageSize, total, totalText);
  return (
    <nav className={classes.pager} aria-label="Pages">
      <span>{shown.range}</span>
      <span className={classes.grow} />
      <span>{shown.position}</span>
      <Step
        label="Previous page"
        icon={IconChevronLeft}
        to={shown.page > 1 ? hrefFor(shown.page - 1) : null}
      />
      <Step
        label="Next page"
        icon={IconChevronRight}
        to={shown.page < shown.pages ? hrefFor(shown.page + 1) : null}
      />
    </nav>
  );
}
