import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './filter-bar.module.css';

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
