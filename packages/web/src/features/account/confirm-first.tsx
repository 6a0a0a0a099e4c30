import { Alert, Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { sentenceOf } from '../../api/session/api-error.ts';
import { useCurrentUser } from './current-user.ts';
import { useResendMail } from './resend-mail.ts';
import classes from './verify-notice.module.css';

/**
 * True if the user must confirm their email before creating API keys, trackers or flows that write.
 */
export function useMustConfirmEmail(): boolean {
  return useCurrentUser().data?.must_confirm_email ?? false;
}

/**
 * Explains that a feature needs a confirmed email address, and offers to resend the email. Renders
 * nothing if the address is confirmed.
 */
export function ConfirmFirst({ what }: { what: string }) {
  const { data: user } = useCurrentUser();
  const resend = useResendMail();
  if (user?.must_confirm_email !== true) return null;
  const message = resend.isSuccess
    ? resend.data.message
    : resend.isError
      ? sentenceOf(resend.error)
      : `Confirm your email address ${user.email} before you ${what}: open the link in the email that was sent to you.`;
  return (
    <Alert
      icon={<IconMail size={16} aria-hidden />}
      role="note"
      classNames={{ wrapper: classes.notice ?? '' }}
    >
      <div className={classes.line}>
        <span role="status">{message}</span>
        {resend.isSuccess ? null : (
          <Button size="xs" onClick={() => resend.mutate()} loading={resend.isPending}>
            Resend
          </Button>
        )}
      </div>
    </Alert>
  );
}
