import type { ComponentProps, MouseEvent } from 'react';

export type ButtonRootProps = ComponentProps<'button'> & { 'data-loading'?: boolean };

/**
 * Ignores clicks while loading, so that they neither submit a form nor open the surrounding row.
 */
function ignore(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Root element of Mantine's buttons. Mantine disables loading buttons, which loses the keyboard
 * focus. This one keeps the focus and ignores clicks instead, including implicit form submission by
 * Enter.
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
