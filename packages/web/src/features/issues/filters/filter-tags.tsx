import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './filter-tags.module.css';

/** A filter that is on, with the button that takes it away. */
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

/** The filters that are on, and the button that takes them all away. Nothing without any. */
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
