import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { countText } from './texts/count-text.ts';

/** Number of items displayed initially, and number added by each press of the button. */
const PART = 50;

/**
 * Returns the displayed part of a long list, and the button that shows more items. `required` is
 * the minimum number of items to display.
 */
export function useShownPart<T>(items: readonly T[], required = 0): { shown: readonly T[]; more: ReactNode } {
  const [requested, setRequested] = useState(PART);
  const count = Math.max(requested, Math.ceil(required / PART) * PART);
  const left = items.length - count;
  return {
    shown: items.slice(0, count),
    more:
      left <= 0 ? null : (
        <Button size="xs" variant="subtle" onClick={() => setRequested(count + PART)}>
          {`Show ${Math.min(PART, left)} more of ${countText(items.length)}`}
        </Button>
      ),
  };
}
