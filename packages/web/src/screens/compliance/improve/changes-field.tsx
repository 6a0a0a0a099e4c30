import { Textarea } from '@mantine/core';
import { plainLines } from '../../../features/issues/text-fields/text-edits.ts';

export type ChangesFieldProps = { value: string; disabled: boolean; onType: (text: string) => void };

/**
 * Text field that lists what was changed in the issue, one change per line. The list is stored as
 * the reason for the update.
 */
export function ChangesField({ value, disabled, onType }: ChangesFieldProps) {
  return (
    <Textarea
      label="Changes"
      description="One change per line. They are stored as the reason for the update."
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autosize
      minRows={2}
      maxRows={8}
      disabled={disabled}
      dir="auto"
      value={value}
      onChange={(event) => onType(plainLines(event.currentTarget.value))}
    />
  );
}
