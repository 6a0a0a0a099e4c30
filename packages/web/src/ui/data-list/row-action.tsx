import { ActionIcon, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

/** Icon button of a list row with its label as tooltip. */
export function RowAction({
  label,
  icon: Glyph,
  onClick,
}: {
  label: string;
  icon: Icon;
  onClick: () => void;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        onClick={(event) => {
          // Ignore the second half of a double click. It was aimed at the element that was here
          // before the first one changed the list or opened a panel.
          if (event.detail <= 1) onClick();
        }}
      >
        <Glyph size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
