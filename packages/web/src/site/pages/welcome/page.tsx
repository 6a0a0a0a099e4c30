import { Link } from 'wouter';
import { AccessFrame } from '../../access/access-frame.tsx';
import { useAddress } from '../../access/use-address.ts';
import { Alert } from '../../ui/alert.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { invitationOf } from './invitation.ts';
import { OnboardingForm } from './onboarding-form.tsx';

/**
 * Where the link of an invitation leads: the invited choose a password and are signed in. Also for somebody who is signed
 * in already: the invitation may be for another account of theirs.
 */
export function Page() {
  const address = useAddress('token', { survivesReload: true });
  if (address?.get('checkout') === 'done') return <Paid />;
  return (
    <AccessFrame
      title="Welcome to Winnow"
      lead="Your account has been created. Please set your password to continue."
      footer={
        <>
          Already have a password?{' '}
          <Link className="link" href="/login">
            Sign in
          </Link>
          <Link className="link" href="/forgot-password">
            Request a new link
          </Link>
        </>
      }
    >
      {address === null ? <Spinner label="Reading your invitation" /> : <Invited address={address} />}
    </AccessFrame>
  );
}

/** Where Stripe leads whoever paid without an account: the way on is in their mail, so that only they can take it. */
function Paid() {
  return (
    <AccessFrame
      title="Thank you"
      lead="Your payment went through. We have sent a mail to the address you entered there."
      footer={
        <>
          Have an account with this address already?{' '}
          <Link className="link" href="/login">
            Sign in
          </Link>
        </>
      }
    >
      <Alert tone="success" title="Check your mail">
        Its link lets you choose a password and opens the console on your new plan. It holds for seven days.
        Nothing there after some minutes? Look among the spam, or{' '}
        <Link className="link" href="/forgot-password">
          request a new link
        </Link>
        .
      </Alert>
    </AccessFrame>
  );
}

function Invited({ address }: { address: URLSearchParams }) {
  const { email, username, token } = invitationOf(address);
  if (email === null) {
    return <Alert tone="danger" title="Could not retrieve your details. Please contact support." />;
  }
  if (token === null) {
    return (
      <Alert tone="danger" title="Open the link in your mail again">
        This address lacks the secret part of your link.
      </Alert>
    );
  }
  return <OnboardingForm email={email} proposedUsername={username} token={token} />;
}
