import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

export type ImproveButtonProps = Pick<ButtonProps, 'size' | 'variant' | 'rightSection'> & {
  /** Why there is nothing to improve, in a sentence; null when there is. */
  refusal: string | null;
  onClick: () => void;
  children: ReactNode;
};

/** Improve; where there is nothing to improve it says why, and can be reached to be asked. */
export function ImproveButton({ refusal, onClick, ...button }: ImproveButtonProps) {
  if (refusal === null) return <Button {...button} onClick={onClick} />;
  return (
    <Tooltip label={refusal} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
      {/* A button that is disabled in earnest cannot be focused, and so never says why. */}
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
