import { Button, Switch, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type WorkspaceSettings, workspaceCreate } from '@winnow/contract/workspace';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { usePermission } from '../../../features/workspaces/permission.tsx';
import { useChangeWorkspace } from '../../../features/workspaces/queries.ts';
import { Card } from '../../../ui/card.tsx';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import forms from '../form.module.css';
import classes from './members.module.css';

const FIELDS = ['name'] as const;

/** Name and rules of the workspace. Fields that the role does not allow are disabled. */
export function WorkspaceCard({ workspace }: { workspace: WorkspaceSettings }) {
  const manage = usePermission('manage');
  const own = usePermission('own');
  const naming = useChangeWorkspace();
  const rules = useChangeWorkspace();
  const form = useForm({
    initialValues: { name: workspace.name },
    validate: schemaResolver(workspaceCreate, { sync: true }),
  });
  const rename = ({ name }: { name: string }) =>
    naming.mutate({ name }, { onError: (failure) => form.setErrors(fieldErrorsOf(failure, FIELDS)) });
  return (
    <Card title="Workspace" inset>
      <form noValidate onSubmit={form.onSubmit(rename)}>
        <TextInput
          label="Name"
          description={manage.reason}
          disabled={!manage.allowed}
          autoComplete="off"
          maxLength={80}
          {...form.getInputProps('name')}
        />
        {manage.allowed ? (
          <div className={forms.buttons}>
            <Button
              type="submit"
              loading={naming.isPending}
              disabled={form.values.name.trim() === workspace.name}
            >
              Save
            </Button>
          </div>
        ) : null}
        <div className={forms.result} role="status">
          {naming.isSuccess ? <FormMessage tone="success">The name is saved.</FormMessage> : null}
        </div>
      </form>
      <div className={classes.rules}>
        <Switch
          label="Second person"
          description={
            own.reason ??
            'Closing issues and changing several at once need the approval of another member. They are proposed instead of applied.'
          }
          disabled={!own.allowed || rules.isPending}
          checked={workspace.four_eyes}
          onChange={(event) => rules.mutate({ four_eyes: event.currentTarget.checked })}
        />
        <Switch
          label="Second factor"
          description={
            own.reason ??
            'Members need an authenticator app or a passkey. A member without one sees nothing of the workspace until it is added.'
          }
          disabled={!own.allowed || rules.isPending}
          checked={workspace.require_second_factor}
          onChange={(event) => rules.mutate({ require_second_factor: event.currentTarget.checked })}
        />
      </div>
      {rules.isError ? <ErrorState error={rules.error} /> : null}
    </Card>
  );
}
