import { type Operations, OUTSIDE_ERRORS } from '../operation.ts';

export const connectionOperations: Operations = {
  'GET /api/v1/ai-models': {
    id: 'listModels',
    summary: 'List language models',
    description:
      'Returns the language models of the account with their health and their agreement with people. Keys are never returned.',
  },
  'POST /api/v1/ai-models': {
    id: 'createModel',
    summary: 'Add a language model',
    description:
      'Stores the connection to a language model. It becomes the default only with `is_default`, and never after a test that failed.',
    errors: ['ai_model_name_taken', 'ai_model_test_failed', 'plan_limit'],
  },
  'POST /api/v1/ai-models/test': {
    id: 'testModel',
    summary: 'Test a language model',
    description:
      'Asks a language model a short question. If the connection fails, the response has `success: false`.',
    errors: ['not_found', 'plan_limit', 'secret_unreadable'],
  },
  'POST /api/v1/ai-models/estimate': {
    id: 'estimateModel',
    summary: 'Estimate the calls of a language model',
    description:
      'Returns the calls, tokens and cost to expect from using a language model for reviews and scores. Asks no model.',
  },
  'POST /api/v1/ai-models/provider-models': {
    id: 'listProviderModels',
    summary: 'List the models of a provider',
    description:
      'Returns the models that a provider lists for a key. `models` is null if it returns no list.',
    errors: ['not_found', 'plan_limit', 'ai_model_offered'],
  },
  'GET /api/v1/ai-models/prices': {
    id: 'listModelPrices',
    summary: 'List model prices',
    description: 'Returns the built-in list of prices in US dollars per million tokens, with its date.',
  },
  'POST /api/v1/ai-models/:model_id/resume': {
    id: 'resumeModel',
    summary: 'Try a language model again',
    description:
      'Tests a stored language model. If it responds, its pause and its count of failures end. If the model fails, the response has `success: false`.',
    errors: ['ai_model_key_unreadable', 'plan_limit'],
  },
  'PUT /api/v1/ai-models/:model_id': {
    id: 'updateModel',
    summary: 'Change a language model',
    description:
      'Changes the given fields. With `is_default`, the model judges and suggests in place of the built-in analyst.',
    errors: [
      'ai_model_name_taken',
      'ai_model_key_unreadable',
      'ai_model_offered',
      'ai_model_test_failed',
      'plan_limit',
    ],
  },
  'DELETE /api/v1/ai-models/:model_id': {
    id: 'deleteModel',
    summary: 'Remove a language model',
    description: 'Removes a language model. If it was the default, the built-in analyst takes over.',
    errors: ['ai_model_offered'],
  },
  'GET /api/v1/mcp-servers': {
    id: 'listMcpServers',
    summary: 'List MCP servers',
    description: 'Returns the servers whose tools flows may use. Winnow’s own is always the first.',
  },
  'POST /api/v1/mcp-servers': {
    id: 'createMcpServer',
    summary: 'Add an MCP server',
    description: 'Stores an outside MCP server and reads its tools.',
    errors: ['mcp_server_name_taken', 'too_many_mcp_servers'],
  },
  'POST /api/v1/mcp-servers/test': {
    id: 'testMcpServer',
    summary: 'Test an MCP server',
    description:
      'Connects to a server and returns its tools. If the connection fails, the response has `success: false`.',
    errors: ['not_found', 'secret_unreadable'],
  },
  'PUT /api/v1/mcp-servers/:server_id': {
    id: 'updateMcpServer',
    summary: 'Change an MCP server',
    description:
      'Replaces the settings of a server. A blank secret retains the stored one for the same host.',
    errors: ['mcp_server_name_taken', 'own_mcp_server'],
  },
  'POST /api/v1/mcp-servers/:server_id/check': {
    id: 'checkMcpServer',
    summary: 'Read the tools of an MCP server again',
    description: 'Connects to a stored server, stores its tools and its state, and returns it.',
    errors: OUTSIDE_ERRORS,
  },
  'DELETE /api/v1/mcp-servers/:server_id': {
    id: 'deleteMcpServer',
    summary: 'Remove an MCP server',
    description: 'Removes an outside server. Flows that use it do not start until it is removed from them.',
    errors: ['own_mcp_server'],
  },
  'POST /api/v1/leads': {
    id: 'requestDemo',
    summary: 'Request a demo',
    description: 'Stores a request for a demo and notifies the operator.',
  },
};
