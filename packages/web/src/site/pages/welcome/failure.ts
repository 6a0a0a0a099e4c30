import { ApiError } from '../../../api/session/api-error.ts';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { type Failure, reportableSentenceOf } from '../../access/failure.ts';

const FAILED = 'Failed to complete onboarding.';
/** Advice for a link that has been used, has expired or never existed. */
const NEW_LINK_HINT = 'Request a new one below. We will email it to this address.';
const FIELDS = ['username', 'password'] as const;

/**
 * Describes the reason why the registration failed, in the server's words where possible. Errors
 * about a field appear only at the field.
 */
export function failureOf(error: unknown): Failure {
  const isAtFields = Object.keys(fieldErrorsOf(error, FIELDS)).length > 0;
  if (isAtFields || !(error instanceof ApiError)) return { title: FAILED };
  if (error.code === 'invalid_onboarding_link')
    return { title: reportableSentenceOf(error), detail: NEW_LINK_HINT };
  const isOurSentence = error.code === 'unreachable' || error.code === 'unexpected_answer';
  return isOurSentence
    ? { title: FAILED, detail: reportableSentenceOf(error) }
    : { title: reportableSentenceOf(error) };
}
