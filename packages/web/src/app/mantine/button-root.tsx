import type { ComponentProps, MouseEvent } from 'react';

export type ButtonRootProps = ComponentProps<'button'> & { 'data-loading'?: boolean };

/** A press that comes while the last one is at work; stopped here, it sends no form and opens no row around the button. */
function ignore(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * The element of Mantine's buttons. Mantine disables one that is loading, which takes the keyboard's place in the page from
 * whoever pressed it; this one keeps the focus and ignores presses instead, those of Enter in a form's field among them.
 */
export function ButtonRoot({ type = 'button', disabled, onClick, ...props }: ButtonRootProps) {
  const isLoading = props['data-loading'] === true;
  return (
    <button
      {...props}
      {...(isLoading ? { 'aria-disabled': true } : {})}
      type={type}
      disabled={disabled && !isLoading}
      onClick={isLoading ? ignore : onClick}
    />
  );
}
