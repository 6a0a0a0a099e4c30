import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconFilterPlus, IconX } from '@tabler/icons-react';
import {
  FILTER_FIELDS,
  FILTER_OPERATORS,
  FLOW_LIMITS,
  filterField,
  type TriggerFilter,
  triggerFilter,
} from '@winnow/contract/flow';
import { useRef } from 'react';
import classes from './filter-rows.module.css';
import type { FlowForm } from './use-flow-form.ts';

const FIELDS = filterField.options.map((value) => ({ value, label: FILTER_FIELDS[value].label }));
const OPERATORS = triggerFilter.shape.op.options.map((value) => ({
  value,
  label: FILTER_OPERATORS[value].label,
}));
const NEW_FILTER: TriggerFilter = { field: 'title', op: 'contains', value: '' };

/** List of filters. An event starts the flow only if it matches all filters. */
export function FilterRows({ form }: { form: FlowForm }) {
  const { trigger_filters: filters } = form.values;
  const addButton = useRef<HTMLButtonElement>(null);
  const change = (index: number, changed: Partial<TriggerFilter>) =>
    form.setFieldValue(
      'trigger_filters',
      filters.map((filter, at) => (at === index ? { ...filter, ...changed } : filter)),
    );
  return (
    <fieldset className={classes.filters}>
      <legend className={classes.legend}>Filters</legend>
      {filters.length === 0 ? (
        <p className={classes.note}>Every event of this type starts the flow.</p>
      ) : (
        <ul className={classes.list}>
          {filters.map((filter, index) => (
            <li className={classes.row} key={index}>
              <NativeSelect
                aria-label={`Field of filter ${index + 1}`}
                data={FIELDS}
                value={filter.field}
                onChange={({ currentTarget }) =>
                  change(index, { field: filterField.parse(currentTarget.value) })
                }
              />
              <NativeSelect
                aria-label={`Operator of filter ${index + 1}`}
                data={OPERATORS}
                value={filter.op}
                onChange={({ currentTarget }) =>
                  change(index, { op: triggerFilter.shape.op.parse(currentTarget.value) })
                }
              />
              <TextInput
                aria-label={`Value of filter ${index + 1}`}
                placeholder={filter.op === 'matches' ? 'Regular expression' : 'Value'}
                className={classes.value ?? ''}
                autoComplete="off"
                spellCheck={false}
                maxLength={500}
                {...form.getInputProps(`trigger_filters.${index}.value`)}
              />
              <ActionIcon
                aria-label={`Remove filter ${index + 1}`}
                onClick={() => {
                  form.removeListItem('trigger_filters', index);
                  addButton.current?.focus();
                }}
              >
                <IconX size={16} stroke={1.75} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <Button
        ref={addButton}
        size="xs"
        leftSection={<IconFilterPlus size={14} stroke={1.75} aria-hidden />}
        disabled={filters.length >= FLOW_LIMITS.filters}
        onClick={() => form.insertListItem('trigger_filters', NEW_FILTER)}
      >
        Add Filters
      </Button>
      {filters.length === 0 ? null : (
        <p className={classes.note}>All filters must match. Case is ignored; patterns use RE2 syntax.</p>
      )}
    </fieldset>
  );
}
