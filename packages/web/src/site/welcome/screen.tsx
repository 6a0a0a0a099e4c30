import { Link } from 'react-router';
import { AccessFrame } from '../access-frame.tsx';
import { FormFailure } from '../form-failure.tsx';
import { OnboardingForm } from './onboarding-form.tsx';
import { useInvitation } from './use-invitation.ts';

/** Where the link of an invitation leads: the invited choose a password and are signed in. */
export function WelcomeScreen() {
  const { email, username, token } = useInvitation();
  return (
    <AccessFrame
      title="Welcome to Winnow"
      lead="Your account has been created. Please set your password to continue."
      footer={
        <>
          Already have a password?{' '}
          <Link className="link" to="/login">
            Sign in
          </Link>
        </>
      }
    >
      {email === null ? (
        <FormFailure title="Could not retrieve your details. Please contact support." detail={null} />
      ) : token === null ? (
        <FormFailure
          title="Open the link in your mail again"
          detail="Reloading the page leaves out the part of the link that proves that it is yours."
        />
      ) : (
        <OnboardingForm email={email} proposedUsername={username} token={token} />
      )}
    </AccessFrame>
  );
}
