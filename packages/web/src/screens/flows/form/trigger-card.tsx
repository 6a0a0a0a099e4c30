import { Autocomplete, NumberInput, Select } from '@mantine/core';
import {
  COMMON_EVENTS,
  FLOW_CLUSTER_SIZE,
  FLOW_EVENTS,
  type FlowEvent,
  OFFERED_EVENTS,
} from '@winnow/contract/flow';
import { useState } from 'react';
import { organizationLabel, withTracker } from '../../../features/issues/namesakes.ts';
import { useNamesakeLookup } from '../../../features/issues/tracker-mark.tsx';
import { useTrackers } from '../../../features/trackers/tracker-list.ts';
import { Card } from '../../../ui/card.tsx';
import { eventText } from '../flow-texts.ts';
import { FilterRows } from './filter-rows.tsx';
import classes from './form.module.css';
import { useOrganizationsOf, useProjectsOf } from './scope-queries.ts';
import type { FlowForm } from './use-flow-form.ts';

/** Value of the option that lets the user type a custom event. */
const OTHER_OPTION = 'other';

function clear(label: string) {
  return { 'aria-label': `Clear ${label}` };
}

/** Form fields for the trigger of a flow: tracker, project, event and filters. */
export function TriggerCard({ form }: { form: FlowForm }) {
  const { trigger_event_source: trackerId, trigger_organization_id: organizationId } = form.values;
  const trackers = useTrackers().data ?? [];
  const organizations = useOrganizationsOf(trackerId).data ?? [];
  const projects = useProjectsOf(trackerId, organizationId).data ?? [];
  const placeOf = useNamesakeLookup();
  const source = trackers.find(({ id }) => id === trackerId);
  return (
    <Card title="Trigger" inset>
      <div className={classes.fields}>
        <div className={classes.places}>
          <Select
            label="Tracker"
            placeholder="Any tracker"
            clearable
            clearButtonProps={clear('tracker')}
            data={trackers.map(({ id, name }) => ({ value: id, label: name }))}
            value={trackerId}
            onChange={(chosen) =>
              form.setValues({
                trigger_event_source: chosen,
                trigger_organization_id: null,
                trigger_project_id: null,
              })
            }
            error={form.errors.trigger_event_source}
          />
          <Select
            label="Organization"
            placeholder="Any organization"
            clearable
            searchable
            clearButtonProps={clear('organization')}
            data={organizations.map((one) => ({
              value: one.id,
              label: organizationLabel(one, organizations, trackers),
            }))}
            value={organizationId}
            onChange={(chosen) =>
              form.setValues({ trigger_organization_id: chosen, trigger_project_id: null })
            }
            error={form.errors.trigger_organization_id}
          />
          <Select
            label="Project"
            placeholder="Any project"
            clearable
            searchable
            clearButtonProps={clear('project')}
            data={projects.map(({ id, identifier }) => ({
              value: id,
              label: withTracker(identifier, placeOf(id)),
            }))}
            value={form.values.trigger_project_id}
            onChange={(chosen) => form.setFieldValue('trigger_project_id', chosen)}
            error={form.errors.trigger_project_id}
          />
        </div>
        <EventFields
          form={form}
          offered={trackerId === null ? COMMON_EVENTS : OFFERED_EVENTS[source?.tracker_type ?? 'sample']}
        />
        <FilterRows form={form} />
      </div>
    </Card>
  );
}

/**
 * Field that selects an event of the tracker. Another option lets the user type the name of a
 * custom event.
 */
function EventFields({ form, offered }: { form: FlowForm; offered: readonly FlowEvent[] }) {
  const { trigger_event_type: type } = form.values;
  const [isNamed, setIsNamed] = useState(false);
  const isOther = isNamed || (type !== '' && !offered.some((event) => event === type));
  return (
    <div className={classes.places}>
      <Select
        label="Event"
        placeholder="None (manual runs only)"
        clearable
        clearButtonProps={clear('event')}
        data={[
          ...offered.map((value) => ({ value: value as string, label: eventText(value) })),
          { value: OTHER_OPTION, label: 'Other' },
        ]}
        value={isOther ? OTHER_OPTION : type === '' ? null : type}
        onChange={(chosen) => {
          setIsNamed(chosen === OTHER_OPTION);
          form.setFieldValue('trigger_event_type', chosen === OTHER_OPTION ? '' : (chosen ?? ''));
        }}
        error={isOther ? undefined : form.errors.trigger_event_type}
      />
      {isOther ? (
        <Autocomplete
          label="Custom Event"
          className={classes.wide ?? ''}
          placeholder="Such as comment_created or every_week"
          autoComplete="off"
          spellCheck={false}
          maxDropdownHeight={240}
          data={Object.keys(FLOW_EVENTS)}
          renderOption={({ option }) => (
            <span className={classes.event}>
              <code>{option.value}</code>
              {eventText(option.value)}
            </span>
          )}
          {...form.getInputProps('trigger_event_type')}
        />
      ) : null}
      {type === 'cluster_grew' ? (
        <NumberInput
          label="Open Issues"
          description="Starts when a cluster grows beyond this number."
          placeholder={`Default: ${FLOW_CLUSTER_SIZE.usual}`}
          min={FLOW_CLUSTER_SIZE.least}
          max={FLOW_CLUSTER_SIZE.most}
          clampBehavior="none"
          allowDecimal={false}
          {...form.getInputProps('trigger_cluster_size')}
        />
      ) : null}
    </div>
  );
}
