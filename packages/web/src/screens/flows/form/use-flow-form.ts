import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { createBody, type FlowValues, flowSchema } from './form-values.ts';

export type FlowForm = UseFormReturnType<FlowValues>;

const NO_SUCH_EVENT = 'Event not found. Choose one of the suggestions.';

/** Returns the form of a flow. Before sending, it is validated by the schema of the API. */
export function useFlowForm(initialValues: FlowValues): FlowForm {
  const check = schemaResolver(flowSchema, { sync: true });
  return useForm<FlowValues>({
    initialValues,
    validate: (values) => {
      const errors = check(createBody(values));
      return 'trigger_event_type' in errors ? { ...errors, trigger_event_type: NO_SUCH_EVENT } : errors;
    },
  });
}
