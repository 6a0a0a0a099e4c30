import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { type Failure, reportableSentenceOf } from '../../access/failure.ts';

const FIELDS = ['username', 'email', 'password'] as const;

/** Describes why no account was created. Errors about a field are shown at the field only. */
export function failureOf(error: unknown): Failure {
  const title = 'Failed to create an account';
  const isAtFields = Object.keys(fieldErrorsOf(error, FIELDS)).length > 0;
  return isAtFields ? { title } : { title, detail: reportableSentenceOf(error) };
}
