import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { createBody, type FlowValues, flowSchema } from './form-values.ts';

export type FlowForm = UseFormReturnType<FlowValues>;

const NO_SUCH_EVENT = 'There is no such event. Choose one of those that are offered while you type.';

/** The form of a flow, checked with the contract's schema before anything is sent. */
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
