import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePermission } from '../../features/workspaces/permission.tsx';

export type ImproveButtonProps = Pick<ButtonProps, 'size' | 'variant' | 'rightSection'> & {
  /** Sentence that explains why the issue cannot be improved; null if it can. */
  refusal: string | null;
  onClick: () => void;
  children: ReactNode;
};

/**
 * Improve button. If the issue cannot be improved, the button is inactive but focusable, and its
 * tooltip explains why.
 */
export function ImproveButton({ refusal: ofIssue, onClick, ...button }: ImproveButtonProps) {
  const refusal = usePermission('write').reason ?? ofIssue;
  if (refusal === null) return <Button {...button} onClick={onClick} />;
  return (
    <Tooltip label={refusal} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
      {/* Do not set `disabled`: the button could not be focused and would not show its tooltip. */}
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
