import { Button, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { CreatedApiKey } from '@winnow/contract/api-key';
import { CODING_TOOLS, exportOf, setupFor } from '../../../features/coding-tools/setup.ts';
import { useInitialFocus } from '../../../ui/dialogs/use-initial-focus.ts';
import forms from '../form.module.css';
import classes from './api-keys.module.css';
import { Copyable } from './copyable.tsx';

/** Coding tool whose setup is displayed. The documentation contains the setups of other tools. */
const FIRST_TOOL = 'claude-code';

export type NewKeyProps = {
  created: CreatedApiKey;
  /** Called after the user copied the key, either alone or in a command. */
  onTaken: () => void;
  onClose: () => void;
};

/** Shows a new key once, and explains how to use it. */
export function NewKey({ created, onTaken, onClose }: NewKeyProps) {
  const copyButton = useInitialFocus<HTMLButtonElement>();
  const { origin } = window.location;
  return (
    <>
      <Stack gap="md">
        <p className={classes.warning}>
          <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
          <span>
            Copy the key now: it is not shown again. Anyone who has it can do what its scopes allow, so
            protect it like a password.
          </span>
        </p>
        <Copyable
          label={`API key ${created.name}`}
          text={created.key}
          buttonRef={copyButton}
          onCopied={onTaken}
        />
        <section aria-labelledby="connect-a-tool">
          <h3 id="connect-a-tool" className={classes.heading}>
            Connect a coding tool
          </h3>
          <Copyable
            label={`${CODING_TOOLS[FIRST_TOOL].name}, in a terminal`}
            text={`${exportOf(created.key)}\n${setupFor(FIRST_TOOL, origin)}`}
            onCopied={onTaken}
          />
          <p className={`${forms.note} ${classes.others}`}>
            <a className="link" href="/docs#mcp" target="_blank" rel="noreferrer">
              Cursor, Windsurf and other tools
            </a>{' '}
            are covered in the documentation.
          </p>
        </section>
        {created.scopes.includes('read') ? (
          <Copyable label="Try it" text={exampleOf(created.key, origin)} onCopied={onTaken} />
        ) : null}
      </Stack>
      <div className={classes.buttons}>
        <Button variant="filled" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  );
}

function exampleOf(key: string, origin: string): string {
  return `curl "${origin}/api/v1/search?query=login" \\\n  -H "Authorization: Bearer ${key}"`;
}
