import { Button, Modal, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { MCP_AUTH_TYPES, type McpServer, mcpAuthType } from '@winnow/contract/mcp-server';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { useFlowsAllowing, useSaveServer, useTestServer } from '../../../features/mcp-servers/queries.ts';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import { showFirstError } from '../../../ui/fields/show-first-error.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { showToast } from '../../../ui/toasts/toast.tsx';
import forms from '../form.module.css';
import {
  initialValues,
  SERVER_FIELDS,
  type ServerValues,
  saveBody,
  serverSchema,
  testBody,
} from './server-form.ts';
import { ToolList } from './tool-list.tsx';

const AUTH_CHOICES = mcpAuthType.options.map((value) => ({ value, label: MCP_AUTH_TYPES[value].label }));

export type ServerDialogProps = {
  opened: boolean;
  /** The server to edit; null to add one. */
  server: McpServer | null;
  onClose: () => void;
  /**
   * Called after the dialog that adds a server has closed. The button that opened it may have
   * moved, so the focus must be set again.
   */
  onAddClosed: () => void;
  /** Called after the server was saved, before its tools are loaded. */
  onSaved: (server: McpServer) => void;
};

/**
 * Dialog that adds or edits a server. A click outside does not close it, so that input is not lost.
 */
export function ServerDialog({ opened, server, onClose, onAddClosed, onSaved }: ServerDialogProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={server === null ? 'Add MCP Server' : 'Edit MCP Server'}
      size={520}
      yOffset="12dvh"
      fullScreen={narrow}
      closeOnClickOutside={false}
      {...(server === null ? { returnFocus: false, onExitTransitionEnd: onAddClosed } : {})}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ServerForm server={server} onClose={onClose} onSaved={onSaved} />
    </Modal>
  );
}

function ServerForm({ server, onClose, onSaved }: Omit<ServerDialogProps, 'opened' | 'onAddClosed'>) {
  const saving = useOneAtATime(useSaveServer());
  const trial = useOneAtATime(useTestServer());
  const allowing = useFlowsAllowing(server) ?? [];
  const check = schemaResolver(serverSchema(server), { sync: true });
  const form = useForm<ServerValues>({
    initialValues: initialValues(server),
    validate: (values) => check(saveBody(values)),
    onValuesChange: () => trial.reset(),
  });
  const { url, auth_type } = form.values;

  const tell = (error: unknown) => {
    form.setErrors(fieldErrorsOf(error, SERVER_FIELDS));
    showFirstError();
  };
  const save = (values: ServerValues) =>
    saving.mutate(
      { serverId: server?.id ?? null, body: saveBody(values) },
      {
        onSuccess: (saved) => {
          showToast({
            id: saved.id,
            kind: 'done',
            text: `${server === null ? 'Added' : 'Saved'} ${saved.name}.`,
          });
          onClose();
          onSaved(saved);
        },
        onError: tell,
      },
    );
  /** Tests the connection. The test does not need a name. */
  function tryOut(): void {
    const { errors } = form.validate();
    const others = Object.keys(errors).filter((field) => field !== 'name');
    if (others.length > 0) showFirstError();
    else trial.mutate(testBody(server, form.getValues()), { onError: tell });
  }

  const failure = saving.error ?? trial.error;
  const isMoved = server !== null && url.trim() !== server.url;
  return (
    <form noValidate onSubmit={form.onSubmit(save, showFirstError)}>
      <Stack gap="md">
        <TextInput
          data-autofocus
          label="Name"
          description="The name of the server in flows."
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Address"
          description="A server with streamable HTTP, such as https://mcp.example.com/mcp."
          type="url"
          inputMode="url"
          autoComplete="off"
          {...form.getInputProps('url')}
        />
        {isMoved && allowing.length > 0 ? (
          <p className={forms.note}>
            {allowing.join(', ')} {allowing.length === 1 ? 'allows' : 'allow'} tools of this server. The
            permission does not apply to the new address: after saving, allow the tools in each flow again.
          </p>
        ) : null}
        <Select
          label="Authentication"
          data={AUTH_CHOICES}
          allowDeselect={false}
          value={auth_type}
          onChange={(value) => {
            const chosen = mcpAuthType.safeParse(value);
            if (chosen.success) form.setFieldValue('auth_type', chosen.data);
          }}
          error={form.errors.auth_type}
        />
        {auth_type === 'header' ? (
          <TextInput
            label="Header"
            description="The name of the header, such as X-Api-Key."
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('header_name')}
          />
        ) : null}
        {auth_type === 'none' ? null : (
          <PasswordInput
            label={auth_type === 'bearer' ? 'Token' : 'Value'}
            autoComplete="new-password"
            placeholder={server?.has_secret === true ? 'Leave blank to keep the stored one' : ''}
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the secret' }}
            {...form.getInputProps('secret')}
          />
        )}
        <p className={forms.note}>
          Flows that name the server offer its tools to their language model. Tool calls are sent to this
          address, and their arguments may contain issue texts.
        </p>
      </Stack>
      <div className={forms.result} aria-live="polite">
        {trial.data === undefined ? null : (
          <>
            <FormMessage tone={trial.data.success ? 'success' : 'danger'}>{trial.data.message}</FormMessage>
            {trial.data.tools.length === 0 ? null : <ToolList tools={trial.data.tools} />}
          </>
        )}
        {failure !== null && Object.keys(fieldErrorsOf(failure, SERVER_FIELDS)).length === 0 ? (
          <ErrorState error={failure} />
        ) : null}
      </div>
      <div className={forms.buttons}>
        <Button loading={trial.isPending} onClick={tryOut}>
          Test
        </Button>
        <span className={forms.grow} />
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled" loading={saving.isPending}>
          {server === null ? 'Add' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
