import type { Operations } from '../operation.ts';

export const flowOperations: Operations = {
  'GET /api/v1/flows': {
    id: 'listFlows',
    summary: 'List flows',
    description: 'Returns the flows of the account with the state of their last execution.',
  },
  'POST /api/v1/flows': {
    id: 'createFlow',
    summary: 'Create a flow',
    description:
      'Creates a flow: its trigger, its actions, and whether it proposes or applies writes. Omitted fields get their default values.',
    errors: ['not_found', 'email_unconfirmed', 'too_many_flows', 'too_many_presets'],
  },
  'GET /api/v1/flows/events': {
    id: 'listPastEvents',
    summary: 'List past events',
    description: 'Returns past events, newest first, with which a flow can be tried.',
  },
  'POST /api/v1/flows/preview': {
    id: 'previewFlow',
    summary: 'Preview a flow',
    description: 'Returns the prompt that a template gives for an event or issue, and which filters match.',
    errors: ['not_found', 'ambiguous_key'],
  },
  'GET /api/v1/flows/presets': {
    id: 'listFlowPresets',
    summary: 'List flow presets',
    description: 'Returns the presets for new flows: the built-in ones and those of the account.',
  },
  'POST /api/v1/flows/presets/:preset_id/clone': {
    id: 'cloneFlowPreset',
    summary: 'Create a flow from a preset',
    description: 'Creates a flow from a preset. It is switched off until it is edited.',
    errors: ['email_unconfirmed', 'too_many_flows'],
  },
  'DELETE /api/v1/flows/presets/:preset_id': {
    id: 'deleteFlowPreset',
    summary: 'Delete a flow preset',
    description: 'Deletes a preset of the account. Built-in presets cannot be deleted.',
    errors: ['forbidden'],
  },
  'GET /api/v1/flows/:flow_id': {
    id: 'getFlow',
    summary: 'Get a flow',
    description: 'Returns a flow with its definition.',
  },
  'PUT /api/v1/flows/:flow_id': {
    id: 'updateFlow',
    summary: 'Change a flow',
    description: 'Changes the given fields. The others stay unchanged.',
    errors: ['email_unconfirmed', 'too_many_presets'],
  },
  'DELETE /api/v1/flows/:flow_id': {
    id: 'deleteFlow',
    summary: 'Delete a flow',
    description: 'Deletes a flow and its executions. Changes that it made stay in the ledger.',
  },
  'POST /api/v1/flows/:flow_id/run': {
    id: 'runFlow',
    summary: 'Run a flow',
    description:
      'Queues an execution of a flow on an issue, on a past event, or on nothing. With `dry_run` nothing is written or proposed.',
    errors: ['ambiguous_key'],
  },
  'GET /api/v1/flows/executions': {
    id: 'listExecutions',
    summary: 'List executions',
    description: 'Returns executions of flows, newest first.',
  },
  'GET /api/v1/flows/executions/:execution_id': {
    id: 'getExecution',
    summary: 'Get an execution',
    description: 'Returns an execution with its event, its actions and its cost.',
  },
  'GET /api/v1/flows/executions/:execution_id/logs': {
    id: 'listExecutionLogs',
    summary: 'List the log of an execution',
    description: 'Returns log entries in order. `after` returns only entries after that number.',
  },
  'POST /api/v1/flows/executions/:execution_id/stop': {
    id: 'stopExecution',
    summary: 'Stop an execution',
    description: 'Stops an execution. Changes it has made stay.',
    errors: ['ended'],
  },
  'POST /api/v1/flows/executions/:execution_id/retry': {
    id: 'retryExecution',
    summary: 'Repeat an execution',
    description: 'Queues a new execution of the flow for the same event.',
    errors: ['not_ended'],
  },
};
