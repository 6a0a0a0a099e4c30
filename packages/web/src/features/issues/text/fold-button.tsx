import { Button } from '@mantine/core';

export type FoldButtonProps = {
  /** True if the full text is displayed. */
  whole: boolean;
  onToggle: () => void;
  className: string | undefined;
};

/** Button that expands or collapses a folded text. */
export function FoldButton({ whole, onToggle, className }: FoldButtonProps) {
  return (
    <Button
      className={className ?? ''}
      variant="transparent"
      color="accent"
      size="xs"
      h={24}
      p={0}
      aria-expanded={whole}
      onClick={onToggle}
    >
      {whole ? 'Show less' : 'Show full text'}
    </Button>
  );
}
