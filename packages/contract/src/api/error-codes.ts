interface ErrorCodeFacts {
  /** HTTP statuses with which the error is returned. */
  statuses: readonly number[];
  /** Example `detail` for the API description. */
  detail: string;
  /** Request field that `detail` names, if any. */
  field?: string;
}

/**
 * All error codes that operations of the HTTP API can return. Codes that outside services define
 * are not included.
 */
export const ERROR_CODES = {
  bad_request: { statuses: [400], detail: 'The request is not valid.' },
  malformed: { statuses: [400], detail: 'The body is not valid JSON.' },
  connection_failed: { statuses: [400], detail: 'GitHub refuses the token. Enter a new one.' },
  invalid_onboarding_link: { statuses: [400], detail: 'Invalid or expired onboarding link.' },
  invalid_reset_token: { statuses: [400], detail: 'Invalid or expired reset token.' },
  invalid_verification_token: { statuses: [400], detail: 'Invalid or expired verification token.' },
  invalid_invitation: {
    statuses: [400],
    detail: 'This invitation is not valid. It may be used, withdrawn or expired. Ask for a new one.',
  },
  not_signed: { statuses: [400], detail: 'This webhook is not signed by Stripe.' },
  wrong_password: { statuses: [400], detail: 'Current password is incorrect.', field: 'current_password' },

  wrong_code: {
    statuses: [400, 401],
    detail: 'This code is wrong, or was used before. Enter the next one.',
    field: 'code',
  },

  wrong_passkey: { statuses: [400, 401], detail: 'This passkey was not accepted. Try again.' },
  passkey_copied: {
    statuses: [400, 401],
    detail: 'This passkey may have been copied, so it is refused. Use another way to sign in.',
  },
  second_factor_required: { statuses: [400, 401], detail: 'Enter the code of your authenticator app.' },
  passkey_required: { statuses: [400, 401], detail: 'Use your passkey, or enter a recovery code.' },
  password_required: {
    statuses: [400, 401],
    detail: 'Your password was changed. Sign in with it and this passkey once.',
  },
  unauthorized: { statuses: [401], detail: 'Sign in to continue.' },

  ai_model_offered: {
    statuses: [403],
    detail: 'This model is offered by your administrator. It cannot be changed or removed here.',
  },
  forbidden: { statuses: [403], detail: 'You do not have permission to do this.' },
  foreign_host: {
    statuses: [403],
    detail: 'Unknown host name. The operator can set PUBLIC_URL to the public address of this server.',
  },
  foreign_origin: { statuses: [403], detail: 'Requests from pages of other sites are not allowed.' },
  own_mcp_server: {
    statuses: [403],
    detail: 'Winnow’s own tools cannot be changed or removed.',
  },
  own_proposal: {
    statuses: [403],
    detail: 'You cannot decide on your own proposal. Ask a person, or use another key.',
  },
  plan_limit: {
    statuses: [403, 429],
    detail: 'Custom AI models are not part of your plan Free. They come with another plan.',
  },
  scope_required: { statuses: [403], detail: 'This needs an API key with the scope "write".' },
  email_unconfirmed: {
    statuses: [403],
    detail: 'Confirm your email address first: open the link in the email that was sent to you.',
  },
  invitation_for_another: {
    statuses: [403],
    detail: 'This invitation is for grace@acme.test. Sign in with the account of that address.',
  },
  second_person_required: {
    statuses: [403],
    detail: 'This change needs the approval of another member.',
  },
  was_removed: {
    statuses: [403],
    detail: 'You were removed from this workspace. Ask an admin for an invitation to your email address.',
  },
  not_a_member: { statuses: [403], detail: 'You are not a member of this workspace.' },
  role_required: {
    statuses: [403],
    detail: 'This needs the role Maintainer or higher. Your role in this workspace is Viewer.',
  },
  second_factor_missing: {
    statuses: [403],
    detail:
      'This workspace requires a second factor. Add an authenticator app or a passkey in Settings, under Security.',
  },
  user_required: { statuses: [403], detail: 'An API key cannot be used here. Sign in instead.' },

  not_found: { statuses: [404], detail: 'Not found.' },
  method_not_allowed: {
    statuses: [405],
    detail: 'The method PUT is not allowed here. The header Allow lists the allowed methods.',
  },
  request_timeout: { statuses: [408], detail: 'The request took too long to arrive.' },

  already_a_member: { statuses: [409], detail: 'You are already a member of this workspace.' },
  last_owner: {
    statuses: [409],
    detail:
      'The workspace “Acme” needs an owner. Make another member an owner first, or delete the workspace.',
  },
  personal_workspace: {
    statuses: [409],
    detail: 'This is your personal workspace. It is deleted with your account, in Settings under Profile.',
  },
  too_many_invitations: {
    statuses: [409],
    detail: 'A workspace has at most 1000 open invitations. Withdraw one that is not needed.',
  },
  too_many_workspaces: { statuses: [409], detail: 'You own 50 workspaces, which is the maximum.' },
  ai_model_key_unreadable: {
    statuses: [409],
    detail: 'GPT: The stored key cannot be read. Enter the API key again.',
  },
  ai_model_test_failed: {
    statuses: [409],
    detail: 'The last test of this model failed. Test it again before you use it for reviews and scores.',
  },
  ai_model_name_taken: { statuses: [409], detail: 'A model with this name already exists.', field: 'name' },
  already_closed: { statuses: [409], detail: 'acme/web#12 is already closed, so there is nothing to close.' },
  already_committed: {
    statuses: [409],
    detail: 'The dependency of acme/web#12 on acme/web#7 is already committed.',
  },
  already_proposed: {
    statuses: [409],
    detail: 'A change to this pair is already proposed. Decide on that one first.',
  },
  already_resolved: { statuses: [409], detail: 'This pair is already resolved.' },
  already_undone: { statuses: [409], detail: 'This change is already undone, or is being undone.' },
  authenticator_exists: {
    statuses: [409],
    detail: 'You already have an authenticator app. Remove it first.',
  },
  passkey_exists: { statuses: [409], detail: 'This passkey was added before.' },
  passkeys_unavailable: {
    statuses: [409],
    detail: 'Passkeys need a public address with a host name and https. Ask your administrator.',
  },
  too_many_passkeys: { statuses: [409], detail: 'You have 20 passkeys. Remove one first.' },
  being_changed: { statuses: [409], detail: 'Another change is being written to acme/web#12.' },
  being_closed: { statuses: [409], detail: 'acme/web#12 is being closed as a duplicate of acme/web#7.' },
  being_committed: { statuses: [409], detail: 'This dependency is being committed right now.' },
  being_resolved: { statuses: [409], detail: 'This pair is being resolved by another request.' },
  billing_off: {
    statuses: [409],
    detail: 'Plans cannot be bought here: no payment provider is set up.',
  },
  cannot_be_written: { statuses: [409], detail: 'The token may not write to acme/web.' },
  canonical_closed: {
    statuses: [409],
    detail: 'acme/web#7 is closed. Choose another canonical issue, or reopen it first.',
  },
  changed_since: {
    statuses: [409],
    detail: 'acme/web#12 has changed since you saw it. Look at it again, then decide.',
  },
  cluster_changed: {
    statuses: [409],
    detail: 'This cluster has changed since you saw it: Ada has edited it. Look at it again, then decide.',
  },
  cluster_not_open: {
    statuses: [409],
    detail: 'This cluster is decided, so only people can decide about it again.',
  },
  current_plan: { statuses: [409], detail: 'You are already on the Pro plan, billed monthly.' },
  decision_undone: {
    statuses: [409],
    detail: 'A decision about this pair was undone, so only people can decide about it again.',
  },
  dependency_cycle: {
    statuses: [409],
    detail: 'acme/web#12 already depends on acme/web#7, so the two would wait for each other.',
  },
  duplicate_cycle: {
    statuses: [409],
    detail: 'acme/web#12 is itself closed as a duplicate of acme/web#7. Reopen it in the tracker first.',
  },
  duplicate_found: {
    statuses: [409],
    detail: 'acme/web#7 now appears to describe the same problem. Reject this proposal.',
  },
  edited_since: {
    statuses: [409],
    detail:
      'acme/web#12 has been edited since this change was applied, so the change cannot be undone completely.',
  },
  email_taken: { statuses: [409], detail: 'This email is already registered.', field: 'email' },
  ended: { statuses: [409], detail: 'This execution has already ended.' },
  export_running: { statuses: [409], detail: 'An export of this account is already running.' },
  kept_apart: {
    statuses: [409],
    detail: 'A decision about a pair keeps some of these issues apart. Change that decision first.',
  },
  in_tracker: {
    statuses: [409],
    detail: 'The tracker has this dependency. Remove it there, or undo its commit.',
  },
  issue_gone: { statuses: [409], detail: 'acme/web#12 is missing from its tracker.' },
  mcp_server_gone: { statuses: [409], detail: 'MCP server Docs not found.' },
  mcp_server_moved: {
    statuses: [409],
    detail: 'The address of Docs has changed since this was proposed. Run the flow again.',
  },
  mcp_server_name_taken: {
    statuses: [409],
    detail: 'A server with this name already exists.',
    field: 'name',
  },
  more_calls: {
    statuses: [409],
    detail: 'This takes 120 calls of GPT, more than the 100 you accepted. Check the number of calls again.',
  },
  name_taken: { statuses: [409], detail: 'A prompt named “Ready” already exists.', field: 'name' },
  not_ended: { statuses: [409], detail: 'This execution has not ended. Stop it first.' },
  not_proposed: { statuses: [409], detail: 'This change is not waiting for approval.' },
  not_repeatable: {
    statuses: [409],
    detail: 'A call of an external tool cannot be repeated: only its server knows what it did.',
  },
  not_undoable: { statuses: [409], detail: 'Only an applied change can be undone.' },
  no_canonical: {
    statuses: [409],
    detail: 'No issue of this cluster qualifies as the canonical one. Choose the canonical issue yourself.',
  },
  nothing_failed: { statuses: [409], detail: 'No step of this change failed.' },
  nothing_paid: {
    statuses: [409],
    detail: 'There is nothing to manage yet: this account has not paid for a plan.',
  },
  nothing_to_close: {
    statuses: [409],
    detail: 'No issue of this cluster is left to close. acme/web#12 is already closed.',
  },
  nothing_waits: {
    statuses: [409],
    detail: 'No change of plan is waiting for payment: it was paid, or it has expired.',
  },
  paid_just_now: {
    statuses: [409],
    detail: 'Another plan was paid for a moment ago. Check your subscription before you choose again.',
  },
  payment_waits: {
    statuses: [409],
    detail: 'A change to another plan waits for its payment. Pay it in Stripe, or choose again in a day.',
  },
  same_issue: {
    statuses: [409],
    detail: 'acme/web#12 is read through two of your trackers, so both are the same issue.',
  },
  target_closed: {
    statuses: [409],
    detail: 'acme/web#12 is closed. Merge into an open issue, or reopen it first.',
  },
  target_is_duplicate: {
    statuses: [409],
    detail: 'acme/web#12 is itself closed as a duplicate of acme/web#7. Merge into that one.',
  },
  too_many_api_keys: {
    statuses: [409],
    detail: 'An account has at most 100 API keys. Revoke one that you do not need.',
  },
  too_many_flows: {
    statuses: [409],
    detail: 'An account has at most 500 flows. Delete one you do not need.',
  },
  too_many_mcp_servers: {
    statuses: [409],
    detail: 'An account has at most 50 MCP servers. Delete one you do not need.',
  },
  too_many_presets: {
    statuses: [409],
    detail: 'An account has at most 500 presets. Remove one you do not need.',
  },
  too_many_trackers: {
    statuses: [409],
    detail: 'An account has at most 50 trackers. Delete one you do not need.',
  },
  too_many_prompts: { statuses: [409], detail: 'An account can have at most 50 custom prompts.' },
  tool_gone: { statuses: [409], detail: 'Docs has no tool named search.' },
  tracker_busy: {
    statuses: [409],
    detail: 'A decision is being written to this tracker. Try again when it is done.',
  },
  tracker_name_taken: { statuses: [409], detail: 'A tracker with this name already exists.', field: 'name' },
  unknown_original: {
    statuses: [409],
    detail: 'acme/web#12 is itself closed as a duplicate of acme/old#3, which is not connected here.',
  },
  username_taken: { statuses: [409], detail: 'This username is taken.', field: 'username' },
  webhook_secret_pending: {
    statuses: [409],
    detail: 'The secret was replaced a short while ago. Trackers may still use the previous one.',
  },
  went_on: {
    statuses: [409],
    detail: 'The original change was retried after this undo was requested. Undo the original change again.',
  },

  too_large: { statuses: [413], detail: 'The request is too large.' },
  unsupported_media_type: {
    statuses: [415],
    detail: 'Send the body as uncompressed JSON with the header Content-Type: application/json.',
  },
  ambiguous_key: { statuses: [422], detail: 'More than one tracker has PROJ-12.', field: 'issue' },
  ambiguous_project: {
    statuses: [422],
    detail: 'More than one project begins with 3f2a9c1b. Use the full id.',
    field: 'project_ids',
  },
  invalid_fields: { statuses: [422], detail: 'name: Enter a name.', field: 'name' },
  upgrade_required: { statuses: [426], detail: 'Connect with a WebSocket.' },
  rate_limited: { statuses: [429], detail: 'Too many requests. Try again in 12 seconds.' },
  headers_too_large: { statuses: [431], detail: 'The request headers are too large.' },

  internal: {
    statuses: [500],
    detail: 'Something went wrong on our side and has been logged. Quote the request id when you report it.',
  },
  secret_unreadable: {
    statuses: [500],
    detail: 'A stored secret cannot be read with the key of this installation.',
  },
  mcp_server_failed: { statuses: [502], detail: 'Docs did not respond within 10 seconds.' },
  upstream_failed: { statuses: [502], detail: 'GitHub did not respond in time. Try again later.' },
  stopping: { statuses: [503], detail: 'The server is stopping. Try again in a few seconds.' },
  unavailable: {
    statuses: [503],
    detail: 'The service is temporarily unavailable. Try again in a few seconds.',
  },
  upstream_rate_limited: {
    statuses: [503],
    detail: 'api.github.com has asked for a pause because of its rate limit.',
  },
} as const satisfies Record<string, ErrorCodeFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * Returns the facts about an error code. Unlike a direct lookup, the type of the result includes
 * the optional fields.
 */
export function factsOfCode(code: ErrorCode): ErrorCodeFacts {
  return ERROR_CODES[code];
}
