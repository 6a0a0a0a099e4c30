import { countText } from '../texts/count-text.ts';

export type PageRange = {
  /** Range of the displayed items, such as `1–10 of 218`. */
  range: string;
  /** Position of the page, such as `Page 1 of 22`. */
  position: string;
  pages: number;
  /** Page number, limited to the existing pages. */
  page: number;
};

/**
 * Returns the texts of the pagination. Pages count from 1. An empty list has page 1 of 1.
 * `totalText` replaces the total if the list was counted only up to a limit.
 */
export function pageRange(
  page: number,
  pageSize: number,
  total: number,
  totalText = countText(total),
): PageRange {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const current = Math.min(Math.max(1, page), pages);
  const first = total === 0 ? 0 : (current - 1) * pageSize + 1;
  const last = Math.min(total, current * pageSize);
  return {
    range: `${countText(first)}–${countText(last)} of ${totalText}`,
    position: `Page ${countText(current)} of ${countText(pages)}`,
    pages,
    page: current,
  };
}
