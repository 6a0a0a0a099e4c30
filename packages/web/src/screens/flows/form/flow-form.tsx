import { Alert, Button, Checkbox } from '@mantine/core';
import type { Flow, FlowPreset } from '@winnow/contract/flow';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useNavigate } from 'react-router';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { useSaveFlow } from '../../../features/flows/queries.ts';
import { PermissionGate, usePermission } from '../../../features/workspaces/permission.tsx';
import { UnsavedGuard } from '../../../ui/dialogs/unsaved-guard.tsx';
import { showFirstError } from '../../../ui/fields/show-first-error.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { showToast } from '../../../ui/toasts/toast.tsx';
import { useHeightVariable } from '../../../ui/use-height-variable.ts';
import { AgentCard } from './agent-card.tsx';
import classes from './form.module.css';
import { createBody, fieldsOf, updateBody, valuesOfFlow, valuesOfPreset } from './form-values.ts';
import { GeneralCard } from './general-card.tsx';
import { SettingsCard } from './settings-card.tsx';
import { ToolsCard } from './tools-card.tsx';
import { TriggerCard } from './trigger-card.tsx';
import { useFlowForm } from './use-flow-form.ts';

export type FlowFormProps =
  /** Creates a flow, from a preset or from empty values. */
  | { flow: null; preset: FlowPreset | null; defaultModelId: string | null }
  /**
   * Edits a flow. `bar` returns content above the form. It receives whether edits are unsaved, and
   * a function that discards them.
   */
  | { flow: Flow; bar: (unsaved: boolean, forget: () => void) => ReactNode };

/** Form that creates or edits a flow. After creating a flow, opens its edit screen. */
export function FlowForm(props: FlowFormProps) {
  const { flow } = props;
  const navigate = useNavigate();
  const form = useFlowForm(
    flow === null ? valuesOfPreset(props.preset, props.defaultModelId) : valuesOfFlow(flow),
  );
  const saving = useOneAtATime(useSaveFlow());
  const [asking, setAsking] = useState(false);
  const foot = useHeightVariable('--h-page-foot');
  const unsaved = form.isDirty();
  const fields = fieldsOf(form.values);
  const fieldErrors = fieldErrorsOf(saving.error, fields);

  function save(): void {
    const { values } = form;
    const input =
      flow === null ? { body: createBody(values) } : { flowId: flow.id, body: updateBody(values) };
    saving.mutate(input, {
      onSuccess: (saved) => {
        // Mark the form as saved before navigating. Otherwise the user would be asked whether to
        // discard edits.
        flushSync(() => {
          form.setValues(valuesOfFlow(saved));
          form.resetDirty(valuesOfFlow(saved));
        });
        showToast({
          id: saved.id,
          kind: 'done',
          text: `${flow === null ? 'Created' : 'Updated'} ${saved.name}.`,
        });
        if (flow === null) void navigate(`/console/flows/${saved.id}`, { replace: true });
      },
      onError: (error) => {
        form.setErrors(fieldErrorsOf(error, fields));
        showFirstError();
      },
    });
  }

  const mayManage = usePermission('manage').allowed;
  return (
    <>
      {flow === null ? null : props.bar(unsaved, () => flushSync(() => form.resetDirty()))}
      {flow === null || flow.problem === null ? null : (
        <Alert color="danger" title="This flow cannot start" role="note">
          {flow.problem}
        </Alert>
      )}
      <form className={classes.form} noValidate onSubmit={form.onSubmit(save, showFirstError)}>
        <PermissionGate needs="manage" notice>
          <GeneralCard form={form} />
          <TriggerCard form={form} />
          <AgentCard form={form} />
          <ToolsCard form={form} />
          <SettingsCard form={form} />
        </PermissionGate>
        <div className={classes.foot} ref={foot}>
          {saving.error === null ? null : (
            <div className={classes.error}>
              {Object.keys(fieldErrors).length === 0 ? (
                <ErrorState error={saving.error} title="The flow could not be saved" />
              ) : (
                <p role="alert">Not saved. Check the fields marked below.</p>
              )}
            </div>
          )}
          {asking ? null : (
            <div className={classes.buttons}>
              <Checkbox label="Save as Preset" {...form.getInputProps('is_preset', { type: 'checkbox' })} />
              <span className={classes.grow} />
              <Button component={Link} to="/console/flows">
                Cancel
              </Button>
              <Button type="submit" variant="filled" loading={saving.isPending} disabled={!mayManage}>
                {flow === null ? 'Create' : 'Update'}
              </Button>
            </div>
          )}
          <UnsavedGuard
            unsaved={unsaved}
            asking={asking}
            onAsk={() => setAsking(true)}
            onKeep={() => setAsking(false)}
            onDiscard={() => setAsking(false)}
          />
        </div>
      </form>
    </>
  );
}
