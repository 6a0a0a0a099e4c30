import { Alert, Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconMail } from '@tabler/icons-react';
import { sentenceOf } from '../../api/session/api-error.ts';
import { useCurrentUser } from './current-user.ts';
import { useResendMail } from './resend-mail.ts';
import classes from './verify-notice.module.css';

/**
 * Notice that the email address is not verified, with a button that resends the email. Closing the
 * notice hides it permanently.
 */
export function VerifyNotice() {
  const { data: user } = useCurrentUser();
  const [closedFor, setClosedFor] = useLocalStorage<string | null>({
    key: 'verify-alert-dismissed',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const resend = useResendMail();
  if (user === undefined || user.email_verified || closedFor === user.email) return null;
  return (
    <Alert
      icon={<IconMail size={16} aria-hidden />}
      role="note"
      classNames={{ wrapper: classes.notice ?? '' }}
      withCloseButton
      closeButtonLabel="Do not show this again"
      onClose={() => setClosedFor(user.email)}
    >
      <div className={classes.line}>
        <span role="status">
          {resend.isSuccess
            ? resend.data.message
            : resend.isError
              ? sentenceOf(resend.error)
              : `Your email address ${user.email} is not verified yet.`}
        </span>
        {resend.isSuccess ? null : (
          <Button size="xs" onClick={() => resend.mutate()} loading={resend.isPending}>
            Resend
          </Button>
        )}
      </div>
    </Alert>
  );
}
