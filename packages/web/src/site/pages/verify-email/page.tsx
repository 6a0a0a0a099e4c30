import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { AccessFrame } from '../../access/access-frame.tsx';
import { useAddress } from '../../access/use-address.ts';
import { loadSession } from '../../session/visitor.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { createVerifier, MISSING_TOKEN, type Verification } from './verification.ts';

const verify = createVerifier(async (token) => {
  const { publicApi } = await loadSession();
  await publicApi('POST', '/auth/verify-email', { body: { token } });
});

const TITLES: Record<Verification['state'], string> = {
  verified: 'Email Verified',
  failed: 'Email Verification Failed',
};

/**
 * The target of the link in the registration email. The page verifies the email address without
 * another click.
 */
export function Page() {
  const address = useAddress('token');
  const token = address?.get('token') ?? '';
  const [answer, setAnswer] = useState<Verification | null>(null);
  const isMissing = address !== null && token === '';
  const verification = isMissing ? MISSING_TOKEN : answer;

  useEffect(() => {
    if (token !== '') void verify(token).then(setAnswer);
  }, [token]);

  async function retry(): Promise<void> {
    setAnswer(null);
    setAnswer(await verify(token));
  }

  if (verification === null) {
    return (
      <AccessFrame title="Verifying Email">
        <Spinner label="Checking your link…" />
      </AccessFrame>
    );
  }
  const title = TITLES[verification.state];
  if (verification.state === 'verified') {
    return (
      <AccessFrame title={title}>
        <Alert tone="success">Your email has been successfully verified. You can now log in.</Alert>
        <ButtonLink href="/login" kind="primary" size="lg" wide>
          Proceed to Sign in
        </ButtonLink>
      </AccessFrame>
    );
  }
  return (
    <AccessFrame
      title={title}
      footer={
        <Link className="link" href="/login">
          Back to sign in
        </Link>
      }
    >
      <Alert tone="danger">{verification.reason}</Alert>
      {verification.canRetry ? (
        <Button kind="primary" size="lg" wide onClick={() => void retry()}>
          Try again
        </Button>
      ) : null}
    </AccessFrame>
  );
}
