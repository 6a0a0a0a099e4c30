import { useMutation } from '@tanstack/react-query';
import { doneMessage } from '@winnow/contract/account';
import { api } from '../../api/session/session.ts';

/** Resends the email that verifies the user's address. */
export function useResendMail() {
  return useMutation({
    mutationFn: () => api('POST', '/auth/resend-verification', { schema: doneMessage }),
  });
}
