import { Modal } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import type { ScopeRuleInput, Tracker } from '@winnow/contract/tracker';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import {
  includesFuture,
  scopeOrganizations,
  selectionOfRules,
} from '../../../features/tracker-scope/scope-selection.ts';
import { ScopeStep } from '../../../features/tracker-scope/scope-step.tsx';
import type { ScopeDraft } from '../../../features/tracker-scope/use-scope-choice.ts';
import { useSaveTracker } from '../../../features/trackers/queries.ts';
import { useTrackers } from '../../../features/trackers/tracker-list.ts';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import { showFirstError } from '../../../ui/fields/show-first-error.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { showToast } from '../../../ui/toasts/toast.tsx';
import {
  CONNECTION_FIELDS,
  type ConnectionValues,
  connectionSchema,
  createBody,
  initialValues,
  updateBody,
} from './connection-form.ts';
import { type ConnectionField, ConnectionStep } from './connection-step.tsx';
import classes from './dialog.module.css';
import { useConnection } from './use-connection.ts';

/**
 * Content of the tracker dialog, in two steps. It stores the values of both steps, so that Back and
 * Next keep them.
 */
export function TrackerForm({
  tracker,
  startAt,
  onClose,
}: {
  tracker: Tracker | null;
  startAt: ConnectionField;
  onClose: () => void;
}) {
  const editing = tracker !== null;
  const { data: trackers = [] } = useTrackers();
  const taken = trackers.filter(({ id }) => id !== tracker?.id).map(({ name }) => name);
  const rules = tracker?.scope_rules ?? [];
  const [step, setStep] = useState<1 | 2>(1);
  const [draft, setDraft] = useState<ScopeDraft>(() => ({
    selection: selectionOfRules(rules),
    future: includesFuture(rules),
  }));
  const form = useForm<ConnectionValues>({
    initialValues: initialValues(tracker),
    validate: schemaResolver(connectionSchema(editing, taken), { sync: true }),
  });
  const connection = useConnection(tracker);
  const saving = useOneAtATime(useSaveTracker());

  async function next(values: ConnectionValues): Promise<void> {
    saving.reset();
    const result = await connection.check(values);
    form.setErrors(result.fields);
    if (result.ok) setStep(2);
    else showFirstError();
  }

  function save(scopeRules: ScopeRuleInput[]): void {
    const input = editing
      ? { trackerId: tracker.id, body: updateBody(form.values, scopeRules) }
      : { body: createBody(form.values, scopeRules) };
    saving.mutate(input, {
      onSuccess: ({ id, name }) => {
        const text = editing ? `Saved ${name}.` : `Added ${name}. Its first sync has started.`;
        showToast({ id, kind: 'done', text });
        onClose();
      },
      onError: (error) => {
        const fields = fieldErrorsOf(error, CONNECTION_FIELDS);
        if (Object.keys(fields).length === 0) return;
        form.setErrors(fields);
        setStep(1);
        showFirstError();
      },
    });
  }

  const shown = step === 2 ? connection.checked : null;
  const { scope_rules: scopeProblem } = fieldErrorsOf(saving.error, ['scope_rules']);
  return (
    <>
      <Modal.Header className={classes.header ?? ''}>
        <Modal.Title>
          {shown !== null ? 'Configure Project Scope' : editing ? 'Edit Tracker' : 'Add New Tracker'}
        </Modal.Title>
        <span className={classes.step}>Step {step} of 2</span>
        <Modal.CloseButton aria-label="Close" />
      </Modal.Header>
      <Modal.Body>
        {shown !== null ? (
          <ScopeStep
            connection={shown}
            organizations={scopeOrganizations(shown.organizations, rules)}
            draft={draft}
            onDraft={setDraft}
            onBack={() => {
              saving.reset();
              setStep(1);
            }}
            onSave={save}
            saveLabel={editing ? 'Save' : 'Add'}
            saving={saving.isPending}
            error={
              scopeProblem !== undefined ? (
                <FormMessage tone="danger">{scopeProblem}</FormMessage>
              ) : saving.isError ? (
                <ErrorState error={saving.error} />
              ) : null
            }
          />
        ) : (
          <ConnectionStep
            form={form}
            startAt={startAt}
            trackerId={tracker?.id ?? null}
            checking={connection.checking}
            error={connection.problem}
            onNext={(values) => void next(values)}
            onCancel={onClose}
          />
        )}
      </Modal.Body>
    </>
  );
}
