import { INVALID_RESET_TOKEN, resetPasswordRequest } from '@winnow/contract/account';
import { z } from 'zod';
import { fieldErrorsOf } from '../../../api/session/field-errors.ts';
import { type Failure, isRefusal, reportableSentenceOf } from '../../access/failure.ts';

/** Schema of the form: the new password, and a confirmation that must be identical. */
export const newPasswordTwice = resetPasswordRequest
  .pick({ new_password: true })
  .extend({ confirmation: z.string().min(1, 'Enter the new password again.') })
  .refine((entered) => entered.new_password === entered.confirmation, {
    path: ['confirmation'],
    error: 'Passwords do not match.',
  });

/** Describes the reason why the password was not changed. */
export function failureOf(error: unknown): Failure {
  if (fieldErrorsOf(error, ['new_password']).new_password !== undefined) {
    return { title: 'Your password was not changed.' };
  }
  return { title: isRefusal(error) ? INVALID_RESET_TOKEN : reportableSentenceOf(error) };
}
