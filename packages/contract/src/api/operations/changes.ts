import { type Operations, WRITE_ERRORS } from '../operation.ts';

export const changeOperations: Operations = {
  'GET /api/v1/changes': {
    id: 'listChanges',
    summary: 'List changes',
    description:
      'Returns the changes of the ledger, newest first: every write to a tracker, and every proposal.',
  },
  'GET /api/v1/changes/export': {
    id: 'exportChanges',
    summary: 'Export changes',
    description: 'Returns all changes as a table of their steps, or as one JSON object per line.',
    produces: ['text/csv', 'application/x-ndjson'],
  },
  'GET /api/v1/changes/:change_id': {
    id: 'getChange',
    summary: 'Get a change',
    description:
      'Returns a change with its steps. Each has its new values, the values it replaced, and its result.',
  },
  'POST /api/v1/changes/preview': {
    id: 'previewChange',
    summary: 'Preview a write',
    description:
      'Returns the change that a writing call would make. Nothing is stored or written. Send its `base_hashes` with the call.',
    errors: [
      ...WRITE_ERRORS,
      'already_closed',
      'already_committed',
      'being_committed',
      'decision_undone',
      'dependency_cycle',
      'duplicate_cycle',
      'in_tracker',
      'same_issue',
      'target_closed',
      'target_is_duplicate',
      'unknown_original',
    ],
  },
  'POST /api/v1/changes/:change_id/apply': {
    id: 'applyChange',
    summary: 'Approve a change',
    description:
      'Approves a proposed change and writes it to the tracker. Returns 200 when it is settled within ten seconds, else 202. A key cannot approve its own proposal.',
    errors: [
      ...WRITE_ERRORS,
      'not_proposed',
      'own_proposal',
      'second_person_required',
      'already_resolved',
      'duplicate_found',
      'being_closed',
      'being_committed',
      'being_resolved',
      'decision_undone',
      'dependency_cycle',
      'mcp_server_gone',
      'mcp_server_moved',
      'tool_gone',
      'went_on',
    ],
  },
  'POST /api/v1/changes/:change_id/reject': {
    id: 'rejectChange',
    summary: 'Reject a change',
    description: 'Rejects a proposed change. Nothing is written to the tracker.',
    errors: ['not_proposed', 'own_proposal'],
  },
  'POST /api/v1/changes/:change_id/undo': {
    id: 'undoChange',
    summary: 'Undo a change',
    description:
      'Undoes the steps of an applied change in reverse order, and returns the change that does so. Refused if a text was edited since.',
    errors: [...WRITE_ERRORS, 'not_undoable', 'already_undone', 'edited_since', 'own_proposal'],
  },
  'POST /api/v1/changes/:change_id/retry': {
    id: 'retryChange',
    summary: 'Retry a failed change',
    description: 'Tries the failed steps of a change again. Steps that were applied are not repeated.',
    errors: [
      ...WRITE_ERRORS,
      'nothing_failed',
      'not_repeatable',
      'own_proposal',
      'already_resolved',
      'already_undone',
      'being_closed',
      'being_committed',
      'being_resolved',
      'went_on',
    ],
  },
};
