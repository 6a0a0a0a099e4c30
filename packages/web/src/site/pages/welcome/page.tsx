import { Link } from 'wouter';
import { AccessFrame } from '../../access/access-frame.tsx';
import { useAddress } from '../../access/use-address.ts';
import { Alert } from '../../ui/alert.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { invitationOf } from './invitation.ts';
import { OnboardingForm } from './onboarding-form.tsx';

/**
 * The target of an invitation link. The invited user chooses a password and is signed in.
 * Signed-in users see the page too, because the invitation may be for another account.
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

/**
 * The page to which Stripe redirects a buyer without an account. The link to continue is sent by
 * email, so that only the buyer can use it.
 */
function Paid() {
  return (
    <AccessFrame
      title="Thank you"
      lead="Your payment went through. We have sent an email to the address you entered there."
      footer={
        <>
          Already have an account with this address?{' '}
          <Link className="link" href="/login">
            Sign in
          </Link>
        </>
      }
    >
      <Alert tone="success" title="Check your email">
        The link in it lets you choose a password and opens the console on your new plan. It is valid for
        seven days. No email after a few minutes? Check your spam folder, or{' '}
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
      <Alert tone="danger" title="Open the link in your email again">
        The secret part of the link is missing in this address.
      </Alert>
    );
  }
  return <OnboardingForm email={email} proposedUsername={username} token={token} />;
}
