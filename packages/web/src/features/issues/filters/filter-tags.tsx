import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './filter-tags.module.css';

/** An active filter with a button that removes it. */
export function FilterTag(props: { name: string; onRemove: () => void; children?: ReactNode }) {
  return (
    <span className={classes.tag}>
      {props.name}
      {props.children === undefined ? null : <b>{props.children}</b>}
      <button type="button" aria-label={`Remove the filter ${props.name}`} onClick={props.onRemove}>
        <IconX size={14} stroke={1.75} aria-hidden />
      </button>
    </span>
  );
}

/** Active filters, with a button that clears them all. Renders nothing if no filter is active. */
export function FilterTags({ tags, onClearAll }: { tags: readonly ReactNode[]; onClearAll: () => void }) {
  const shown = tags.filter((tag) => tag !== null);
  if (shown.length === 0) return null;
  return (
    <div className={classes.tags}>
      {shown}
      <Button size="xs" variant="subtle" color="neutral" onClick={onClearAll}>
        Clear all
      </Button>
    </div>
  );
}
