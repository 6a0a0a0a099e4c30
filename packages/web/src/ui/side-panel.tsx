import { ActionIcon, Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { FOCUSABLE } from './keyboard/focusable.ts';
import classes from './side-panel.module.css';
import { useHeightVariable } from './use-height-variable.ts';

/** Minimum width (1280 px) at which the panel is a column beside the content. */
const PANEL_COLUMN_QUERY = '(min-width: 80em)';

export type SidePanelProps = {
  title: string;
  /** Position in the list, such as `2 of 218`. */
  position?: string;
  /** Singular name of an item for the button labels. `pair` results in "Previous pair". */
  itemName?: string;
  /** Moves to the previous item. Undefined at the start of the list, which disables the button. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  onClose: () => void;
  footer?: ReactNode;
  children: ReactNode;
};

function Head({ id, ...props }: SidePanelProps & { id: string }) {
  const item = props.itemName ?? 'item';
  return (
    <div className={classes.head}>
      <h2 className={classes.title} id={id}>
        {props.title}
      </h2>
      <span className={classes.position}>{props.position}</span>
      <ActionIcon aria-label={`Previous ${item}`} onClick={props.onPrevious} disabled={!props.onPrevious}>
        <IconChevronUp size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon aria-label={`Next ${item}`} onClick={props.onNext} disabled={!props.onNext}>
        <IconChevronDown size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon aria-label="Close panel" onClick={props.onClose}>
        <IconX size={16} stroke={1.75} />
      </ActionIcon>
    </div>
  );
}

/**
 * Details of an item beside a list: a column from 1280 px, a drawer on narrower screens. Pass it to
 * `Page` as `panel`.
 * The column does not take the focus, so that the shortcuts of the list still work. Escape closes
 * the panel if the focus is inside it.
 */
export function SidePanel(props: SidePanelProps) {
  const titleId = useId();
  const asColumn = useMediaQuery(PANEL_COLUMN_QUERY, undefined, { getInitialValueInEffect: false });
  const foot = useHeightVariable('--h-drawer-foot');
  const inside = (
    <>
      <Head {...props} id={titleId} />
      <section className={classes.body} aria-label="Details" {...FOCUSABLE}>
        {props.children}
      </section>
      {props.footer ? (
        <div className={classes.foot} ref={asColumn ? null : foot}>
          {props.footer}
        </div>
      ) : null}
    </>
  );
  if (!asColumn) {
    return (
      <Drawer.Root opened onClose={props.onClose} position="right" size="min(560px, 100%)">
        <Drawer.Overlay color="var(--scrim)" backgroundOpacity={1} />
        <Drawer.Content aria-label={props.title}>
          <Drawer.Body className={classes.drawerBody ?? ''}>
            <div className={classes.panel} data-side-panel>
              {inside}
            </div>
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    );
  }
  const closeOnEscape = (event: KeyboardEvent<HTMLElement>) => {
    // Key events of dialogs opened from the panel also bubble here in React. These dialogs are
    // elsewhere in the DOM.
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key === 'Escape' && isInside && !event.defaultPrevented) props.onClose();
  };
  return (
    // This handler receives keys that bubble up from controls in the panel. The panel itself is not
    // a control.
    <aside
      className={`${classes.panel} ${classes.column}`}
      data-side-panel
      aria-labelledby={titleId}
      onKeyDown={closeOnEscape}
    >
      {inside}
    </aside>
  );
}
