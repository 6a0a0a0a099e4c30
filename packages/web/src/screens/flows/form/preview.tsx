import { Button, SegmentedControl } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import {
  FILTER_FIELDS,
  FILTER_OPERATORS,
  type FlowPreview,
  type FlowPreviewRequest,
  flowEvent,
  flowPreview,
  type TriggerFilter,
} from '@winnow/contract/flow';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { api } from '../../../api/session/session.ts';
import { IssueField, nameOfIssue, useIssueField } from '../../../features/issues/issue-field.tsx';
import { FOCUSABLE } from '../../../ui/keyboard/focusable.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { PastEventSelect } from '../run/past-event-select.tsx';
import { useProjectsOfPlace } from '../run/use-projects-of-place.ts';
import { fieldsOf } from './form-values.ts';
import classes from './preview.module.css';
import type { FlowForm } from './use-flow-form.ts';

type Subject = 'event' | 'issue';
const SUBJECTS = [
  { value: 'event', label: 'A past event' },
  { value: 'issue', label: 'An issue' },
];

/** Previews the prompt and the filters of the unsaved flow, with a past event or an issue. */
export function Preview({ form }: { form: FlowForm }) {
  const { values } = form;
  const [subject, setSubject] = useState<Subject>('event');
  const [event, setEvent] = useState<number | null>(null);
  const issue = useIssueField(useProjectsOfPlace(values));
  const preview = useOneAtATime(
    useMutation({
      mutationFn: (body: FlowPreviewRequest) => api('POST', '/flows/preview', { body, schema: flowPreview }),
    }),
  );
  const fields = [...fieldsOf(values), 'issue_key', 'event'];
  const refused = fieldErrorsOf(preview.error, fields);
  const isNamed = subject === 'event' ? event !== null : nameOfIssue(issue) !== '';
  const type = flowEvent.safeParse(values.trigger_event_type);
  const isByModel = values.ai_model_id !== null;

  function show(): void {
    preview.mutate(
      {
        prompt_template: isByModel && values.prompt_template.trim() !== '' ? values.prompt_template : null,
        trigger_filters: values.trigger_filters,
        trigger_event_source: values.trigger_event_source,
        trigger_organization_id: values.trigger_organization_id,
        trigger_project_id: values.trigger_project_id,
        ...(subject === 'event' && event !== null ? { event } : { issue_key: nameOfIssue(issue) }),
      },
      { onError: (error) => form.setErrors({ ...form.errors, ...fieldErrorsOf(error, fieldsOf(values)) }) },
    );
  }

  return (
    <details className={classes.preview}>
      <summary className={classes.summary}>
        Preview {isByModel ? 'the prompt and the filters' : 'the filters'} on a past event or an issue
      </summary>
      <div className={classes.inside}>
        <SegmentedControl
          aria-label="Preview on"
          data={SUBJECTS}
          value={subject}
          onChange={(value) => {
            setSubject(value === 'issue' ? 'issue' : 'event');
            preview.reset();
          }}
        />
        <div className={classes.subject}>
          {subject === 'event' ? (
            <PastEventSelect
              scope={{ ...values, trigger_event_type: type.success ? type.data : null }}
              value={event}
              onChange={setEvent}
              error={refused.event}
            />
          ) : (
            <IssueField
              state={issue}
              // Prevent Enter from submitting the form that contains this field.
              onEnter={() => {
                if (isNamed) show();
              }}
              error={refused.issue_key}
            />
          )}
          <Button disabled={!isNamed} loading={preview.isPending} onClick={show}>
            Preview
          </Button>
        </div>
        <div aria-live="polite">
          {preview.error === null ? null : <ErrorState error={preview.error} title="Preview not available" />}
          {preview.data === undefined || preview.variables === undefined ? null : (
            <Result
              preview={preview.data}
              filters={preview.variables.trigger_filters}
              isEvent={preview.variables.event !== undefined}
            />
          )}
        </div>
      </div>
    </details>
  );
}

type ResultProps = {
  preview: FlowPreview;
  filters: readonly TriggerFilter[];
  /**
   * True for a past event, false for an issue. The flow listens to past events, but may not listen
   * to the project of the issue.
   */
  isEvent: boolean;
};

function Result({ preview, filters, isEvent }: ResultProps) {
  const passed = isEvent ? 'The filters match: it would start the flow.' : 'The filters match.';
  return (
    <div className={classes.result}>
      <p className={classes.verdict} data-passes={preview.passes}>
        {preview.passes ? passed : 'The filters do not match.'}
      </p>
      {filters.length === 0 ? null : (
        <ul className={classes.filters}>
          {filters.map(({ field, op, value }, index) => {
            const passes = preview.filters[index] === true;
            const Glyph = passes ? IconCheck : IconX;
            return (
              <li key={index}>
                <Glyph size={14} aria-label={passes ? 'Matches' : 'Does not match'} role="img" />
                {FILTER_FIELDS[field].label} {FILTER_OPERATORS[op].label} “{value}”
              </li>
            );
          })}
        </ul>
      )}
      {preview.prompt === '' ? null : (
        <section className={classes.prompt} aria-label="The prompt as the model reads it" {...FOCUSABLE}>
          {preview.prompt}
        </section>
      )}
    </div>
  );
}
