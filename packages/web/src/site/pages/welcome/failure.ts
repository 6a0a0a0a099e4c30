import { ApiError } from '../../../api/session/api-error.ts';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { type Failure, reportableSentenceOf } from '../../access/failure.ts';

const FAILED = 'Failed to complete onboarding.';
/** Of the server's code for a link that was used, is too old or was never sent. */
const NEW_LINK = 'Request a new one below: it is mailed to this address.';
const FIELDS = ['username', 'password'] as const;

/** Why an invitation was not completed: in the server's words; what it said about a field stands at the field alone. */
export function failureOf(error: unknown): Failure {
  const isAtFields = Object.keys(fieldErrorsOf(error, FIELDS)).length > 0;
  if (isAtFields || !(error instanceof ApiError)) return { title: FAILED };
  if (error.code === 'invalid_onboarding_link')
    return { title: reportableSentenceOf(error), detail: NEW_LINK };
  const isOurSentence = error.code === 'unreachable' || error.code === 'unexpected_answer';
  return isOurSentence
    ? { title: FAILED, detail: reportableSentenceOf(error) }
    : { title: reportableSentenceOf(error) };
}
