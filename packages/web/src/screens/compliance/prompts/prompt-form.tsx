import { Alert, Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { randomId } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import type { CompliancePrompt } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { usePlanFeature } from '../../../features/plan-cards/queries.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { showToast } from '../../../ui/toasts/toast.tsx';
import { CriterionFields } from './criterion-fields.tsx';
import {
  draftOf,
  emptyCriterion,
  errorsOf,
  MAX_CRITERIA,
  type PromptValues,
  valuesOf,
} from './prompt-values.ts';
import classes from './prompts.module.css';
import { useSavePrompt } from './queries.ts';
import { TryOut } from './try-out.tsx';
import { Versions } from './versions.tsx';

/** Fields for which the server may return errors even if the form is valid. */
const SERVER_CHECKED_FIELDS = ['name', 'short_name', 'description'];

export type PromptFormProps = {
  /** The prompt to edit; null to create one. */
  prompt: CompliancePrompt | null;
  issues: readonly Issue[];
  /** Called with true while the form has unsaved changes, otherwise with false. */
  onDirty: (dirty: boolean) => void;
  onSaved: (prompt: CompliancePrompt) => void;
  onCancel: () => void;
  /** Additional buttons for a saved prompt. */
  children?: ReactNode;
};

/** States in a sentence what saving the prompt has changed. */
function savedText(before: CompliancePrompt | null, saved: CompliancePrompt): string {
  if (before === null) return `Created ${saved.name}. Issues are scored with it when they are listed.`;
  if (before.version === saved.version) return `Nothing changed in ${saved.name}. Its scores are retained.`;
  return `Saved ${saved.name}. Issues are scored again when they are listed.`;
}

/**
 * Form that edits a custom prompt. It contains the names, the criteria, a trial, and previous
 * versions.
 */
export function PromptForm({ prompt, issues, onDirty, onSaved, onCancel, children }: PromptFormProps) {
  const saving = useOneAtATime(useSavePrompt());
  const form = useForm<PromptValues>({ initialValues: valuesOf(prompt) });
  const dirty = form.isDirty();
  const { isIncluded: mayWrite } = usePlanFeature('custom_compliance_metrics_enabled');
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  const draft = draftOf(form.values);
  const showErrors = () => form.setErrors(errorsOf(form.values));
  const save = () => {
    showErrors();
    if (draft === null) return;
    saving.mutate(
      { promptId: prompt?.id ?? null, draft },
      {
        onSuccess: (saved) => {
          form.setInitialValues(valuesOf(saved));
          form.setValues(valuesOf(saved));
          showToast({ id: 'prompt', kind: 'done', text: savedText(prompt, saved) });
          onSaved(saved);
        },
        onError: (error) => form.setErrors(fieldErrorsOf(error, SERVER_CHECKED_FIELDS)),
      },
    );
  };
  const { criteria } = form.values;
  const hasFieldError = Object.keys(fieldErrorsOf(saving.error, SERVER_CHECKED_FIELDS)).length > 0;
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {mayWrite === false ? <PlanWithoutPrompts /> : null}
      <div className={classes.names}>
        <TextInput
          data-autofocus
          label="Name"
          maxLength={80}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Short name"
          description="Used as the column title."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={20}
          autoComplete="off"
          {...form.getInputProps('short_name')}
        />
      </div>
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxRows={5}
        maxLength={500}
        {...form.getInputProps('description')}
      />
      {criteria.map(({ key }, index) => (
        <CriterionFields
          key={key}
          form={form}
          index={index}
          onRemove={criteria.length === 1 ? undefined : () => form.removeListItem('criteria', index)}
        />
      ))}
      {form.errors.criteria === undefined ? null : (
        <p className={classes.error} role="alert">
          {form.errors.criteria}
        </p>
      )}
      <Button
        className={classes.add ?? ''}
        size="xs"
        leftSection={<IconPlus size={14} stroke={2} aria-hidden />}
        disabled={criteria.length >= MAX_CRITERIA}
        onClick={() => form.insertListItem('criteria', emptyCriterion(randomId()))}
      >
        Add criterion
      </Button>
      <TryOut issues={issues} draft={draft} onInvalid={showErrors} />
      {prompt === null ? null : (
        <Versions prompt={prompt} dirty={dirty} onRestore={(version) => form.setValues(valuesOf(version))} />
      )}
      {saving.isError && !hasFieldError ? <ErrorState error={saving.error} /> : null}
      <div className={classes.buttons}>
        {children}
        <span className={classes.grow} />
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="filled" loading={saving.isPending}>
          {prompt === null ? 'Create' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

/**
 * States that the plan does not include custom prompts. Displayed before the user starts to write
 * one.
 */
function PlanWithoutPrompts() {
  return (
    <Alert color="info" role="note">
      Your plan does not include custom prompts.{' '}
      <Link className="link" to="/console/pricing">
        See the plans
      </Link>
    </Alert>
  );
}
