import type { MouseEvent, ReactNode } from 'react';
import { TABLE_ROLES } from './table-roles.ts';

export type ListRowProps = {
  /** By which the keyboard finds it. */
  id: string;
  className: string | undefined;
  /** Where the keyboard is: the one row that Tab reaches. */
  current: boolean;
  /** Open in the panel. */
  selected?: boolean;
  /** It was clicked, beside its links, buttons and fields. */
  onOpen: () => void;
  /** Enter was pressed on it, and not held; when absent, that opens it, too. */
  onEnter?: () => void;
  onFocus: () => void;
  children: ReactNode;
};

/** A row of a list that is walked through: a click or Enter opens it. */
export function ListRow(props: ListRowProps) {
  const { id, className, current, selected = false, onOpen, onEnter = onOpen, onFocus, children } = props;
  // A menu or a dialog opened from here reports its clicks and its focus here too, though it is elsewhere in the page.
  const openUnlessControl = ({ currentTarget, target, button }: MouseEvent<HTMLElement>) => {
    const isOurs = target instanceof Element && currentTarget.contains(target);
    if (isOurs && target.closest('a, button, input') === null && button === 0) onOpen();
  };
  return (
    <tr
      {...TABLE_ROLES.row}
      id={id}
      className={className}
      tabIndex={current ? 0 : -1}
      aria-current={selected ? 'true' : undefined}
      onClick={openUnlessControl}
      onFocus={({ currentTarget, target }) => {
        if (currentTarget.contains(target)) onFocus();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!event.repeat) onEnter();
      }}
    >
      {children}
    </tr>
  );
}
