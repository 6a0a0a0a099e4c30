import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Time in milliseconds during which the confirmation is displayed. */
const CONFIRMATION_MS = 2000;

/**
 * Read-only field with a button that copies its text. Without HTTPS, browsers do not allow copying,
 * so users can select the text instead.
 */
export function CopiedField({ label, value }: { label: string; value: string }) {
  const { copy, copied, error } = useClipboard({ timeout: CONFIRMATION_MS });
  const says = error !== null ? 'Select the text to copy it' : copied ? 'Copied' : 'Copy';
  const Glyph = copied ? IconCheck : IconCopy;
  return (
    <>
      <TextInput
        label={label}
        value={value}
        readOnly
        size="xs"
        onFocus={(event) => event.currentTarget.select()}
        rightSection={
          <Tooltip label={says}>
            <ActionIcon size="sm" aria-label={`Copy the ${label.toLowerCase()}`} onClick={() => copy(value)}>
              <Glyph size={14} stroke={1.75} aria-hidden />
            </ActionIcon>
          </Tooltip>
        }
      />
      <span role="status" className="vh">
        {says === 'Copy' ? '' : says}
      </span>
    </>
  );
}
