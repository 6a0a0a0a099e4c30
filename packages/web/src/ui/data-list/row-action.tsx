import { ActionIcon, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

/** Icon button in a row of a list. Its tooltip is its label. */
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
          // Ignores the second click of a double click. The first click may have changed the list
          // or opened a panel, so that another button is now under the pointer.
          if (event.detail <= 1) onClick();
        }}
      >
        <Glyph size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
