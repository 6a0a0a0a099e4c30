import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';

/** Button in a filter bar that opens the dialog "Filters". */
export function FiltersButton({ onClick }: { onClick: () => void }) {
  return (
    <Button
      leftSection={<IconFilter size={16} stroke={1.75} aria-hidden />}
      aria-haspopup="dialog"
      onClick={onClick}
    >
      Filters
    </Button>
  );
}
