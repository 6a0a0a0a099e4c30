import { Button, Stack } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useInitialFocus } from '../../../../ui/dialogs/use-initial-focus.ts';
import keys from '../../api-keys/api-keys.module.css';
import { Copyable } from '../../api-keys/copyable.tsx';

const FILE_NAME = 'winnow-recovery-codes.txt';

export type RecoveryCodesProps = {
  codes: readonly string[];
  /** Called after the codes were copied or downloaded. */
  onTaken: () => void;
  onClose: () => void;
};

/** Shows new recovery codes once. */
export function RecoveryCodes({ codes, onTaken, onClose }: RecoveryCodesProps) {
  const copyButton = useInitialFocus<HTMLButtonElement>();
  const text = codes.join('\n');
  return (
    <>
      <Stack gap="md">
        <p className={keys.warning}>
          <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
          <span>
            Save these codes now: they are not shown again. Each one signs you in once without your
            authenticator app.
          </span>
        </p>
        <Copyable label="Recovery codes" text={text} buttonRef={copyButton} onCopied={onTaken} />
      </Stack>
      <div className={keys.buttons}>
        <Button
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download={FILE_NAME}
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          onClick={onTaken}
        >
          Download
        </Button>
        <Button variant="filled" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  );
}
