import { Button } from '@mantine/core';

export type FoldButtonProps = {
  /** The whole text is shown. */
  whole: boolean;
  onToggle: () => void;
  className: string | undefined;
};

/** Shows all of a folded text, or folds it again. */
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
