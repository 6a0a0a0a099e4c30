import { Button, Checkbox, Modal, SegmentedControl, Stack } from '@mantine/core';
import { type Flow, type FlowRun, needsIssue } from '@winnow/contract/flow';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { useRunFlow } from '../../../features/flows/queries.ts';
import { IssueField, nameOfIssue, useIssueField } from '../../../features/issues/issue-field.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { executionAddress } from '../executions/search-params.ts';
import { PastEventSelect } from './past-event-select.tsx';
import classes from './run.module.css';
import { useProjectsOfPlace } from './use-projects-of-place.ts';

const SUBJECTS = [
  { value: 'issue', label: 'An issue' },
  { value: 'event', label: 'A past event' },
  { value: 'nothing', label: 'No issue' },
] as const;
type Subject = (typeof SUBJECTS)[number]['value'];
const FIELDS = ['issue_key', 'event'] as const;

export type RunDialogProps = {
  opened: boolean;
  /** The flow to run. It stays set until the closing animation ends. */
  flow: Flow | null;
  /** True if the form has unsaved edits. The run ignores them. */
  unsaved?: boolean;
  onClose: () => void;
};

/** Dialog that runs a flow manually: on an issue, on a past event, or without either. */
export function RunDialog({ opened, flow, unsaved = false, onClose }: RunDialogProps) {
  return (
    <Modal
      opened={opened && flow !== null}
      onClose={onClose}
      title={`Run ${flow?.name ?? ''}`}
      size={480}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {flow === null ? null : <RunForm flow={flow} unsaved={unsaved} onClose={onClose} />}
    </Modal>
  );
}

function RunForm({ flow, unsaved, onClose }: { flow: Flow; unsaved: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const running = useOneAtATime(useRunFlow(flow.id));
  const [subject, setSubject] = useState<Subject>('issue');
  const issue = useIssueField(useProjectsOfPlace(flow));
  const [event, setEvent] = useState<number | null>(null);
  const [dryRun, setDryRun] = useState(false);
  const [missing, setMissing] = useState<Record<string, string>>({});
  const refused = fieldErrorsOf(running.error, FIELDS);
  const errors = { ...refused, ...missing };

  function run(): void {
    const key = nameOfIssue(issue);
    const lacking = {
      ...(subject === 'issue' && key === '' ? { issue_key: 'Enter the key of an issue.' } : {}),
      ...(subject === 'event' && event === null ? { event: 'Choose an event.' } : {}),
    };
    setMissing(lacking);
    if (Object.keys(lacking).length > 0) return;
    const body: FlowRun = {
      dry_run: dryRun,
      ...(subject === 'issue' ? { issue_key: key } : {}),
      ...(subject === 'event' && event !== null ? { event } : {}),
    };
    running.mutate(body, {
      onSuccess: ({ id }) => {
        onClose();
        void navigate(executionAddress(id));
      },
    });
  }

  return (
    <form
      noValidate
      onSubmit={(submission) => {
        submission.preventDefault();
        run();
      }}
    >
      <Stack gap="md">
        <SegmentedControl
          aria-label="Run on"
          data={SUBJECTS.map((offered) => ({
            ...offered,
            disabled: offered.value === 'nothing' && needsIssue(flow),
          }))}
          value={subject}
          onChange={(value) => {
            const chosen = SUBJECTS.find((other) => other.value === value);
            if (chosen !== undefined) setSubject(chosen.value);
            setMissing({});
          }}
          fullWidth
        />
        {subject === 'issue' ? (
          <IssueField state={issue} onType={() => setMissing({})} error={errors.issue_key} />
        ) : null}
        {subject === 'event' ? (
          <PastEventSelect scope={flow} value={event} onChange={setEvent} error={errors.event} />
        ) : null}
        {subject === 'nothing' ? (
          <p className={classes.note}>
            The flow runs without an issue or event, for example to write a report.
          </p>
        ) : null}
        <Checkbox
          label="Dry run"
          description="Nothing is written or proposed. Shows what would have been done."
          checked={dryRun}
          onChange={({ currentTarget }) => setDryRun(currentTarget.checked)}
        />
        {unsaved ? <p className={classes.note}>The run uses the last saved version.</p> : null}
        {flow.is_enabled ? null : (
          <p className={classes.note}>This flow is off. You can still run it manually.</p>
        )}
        {running.error !== null && Object.keys(refused).length === 0 ? (
          <ErrorState error={running.error} title="The flow could not be run" />
        ) : null}
      </Stack>
      <div className={classes.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled" loading={running.isPending}>
          Run now
        </Button>
      </div>
    </form>
  );
}
