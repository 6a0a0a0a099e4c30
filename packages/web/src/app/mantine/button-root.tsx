import type { ComponentProps, MouseEvent } from 'react';

export type ButtonRootProps = ComponentProps<'button'> & { 'data-loading'?: boolean };

/**
 * Ignores clicks while the button is loading. They neither submit a form nor open the row that
 * contains the button.
 */
function ignore(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Root element of Mantine's buttons.
 * Mantine disables loading buttons, and a disabled button loses the keyboard focus. This element
 * keeps its focus while loading and ignores clicks and form submission by Enter.
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
