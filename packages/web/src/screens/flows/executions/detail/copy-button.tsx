import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/**
 * Button that copies a text, and then shows whether the browser permitted this. `text` is called on
 * click.
 */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const clipboard = useClipboard({ timeout: 2000 });
  const Glyph = clipboard.copied ? IconCheck : IconCopy;
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        color="neutral"
        aria-label={label}
        leftSection={<Glyph size={14} stroke={1.75} aria-hidden />}
        onClick={() => clipboard.copy(text())}
      >
        {clipboard.error === null ? (clipboard.copied ? 'Copied' : 'Copy') : 'Copying not permitted'}
      </Button>
      <span className="vh" role="status">
        {clipboard.copied ? 'Copied' : ''}
      </span>
    </>
  );
}
