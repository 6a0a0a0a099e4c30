import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePermission } from '../../features/workspaces/permission.tsx';

export type ImproveButtonProps = Pick<ButtonProps, 'size' | 'variant' | 'rightSection'> & {
  /** Reason why the issue cannot be improved, as a sentence; null if it can be. */
  refusal: string | null;
  onClick: () => void;
  children: ReactNode;
};

/**
 * Improve button. If the issue cannot be improved, a tooltip gives the reason; the button stays
 * focusable.
 */
export function ImproveButton({ refusal: ofIssue, onClick, ...button }: ImproveButtonProps) {
  const refusal = usePermission('write').reason ?? ofIssue;
  if (refusal === null) return <Button {...button} onClick={onClick} />;
  return (
    <Tooltip label={refusal} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
      {/* A button with the attribute `disabled` takes no focus and would not show the tooltip. */}
      <Button
        {...button}
        data-disabled
        aria-disabled
        aria-description={refusal}
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  );
}
