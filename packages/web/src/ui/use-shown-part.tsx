import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { countText } from './texts/count-text.ts';

/** Items displayed initially, and added by each press of the button. */
const PART = 50;

/**
 * Returns the displayed part of a long list, and the button that shows more of it. `required` is
 * the number of items that must be displayed, whatever the user has requested.
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
