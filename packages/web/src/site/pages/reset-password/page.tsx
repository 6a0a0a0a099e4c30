import { Link } from 'wouter';
import { AccessFrame } from '../../access/access-frame.tsx';
import { useAddress } from '../../access/use-address.ts';
import { Alert } from '../../ui/alert.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { NewPasswordForm } from './new-password-form.tsx';

/** The target of the link in the password reset email: sets a new password. */
export function Page() {
  const address = useAddress('token');
  const token = address?.get('token') ?? '';
  return (
    <AccessFrame
      title="Choose a new password"
      lead="Changing the password signs you out on all devices and revokes all API keys. It also switches off flows that write to a tracker, or that use your own models or MCP servers."
      footer={
        <>
          <Link className="link" href="/login">
            Back to sign in
          </Link>
          <Link className="link" href="/forgot-password">
            Request a new link
          </Link>
        </>
      }
    >
      {address === null ? (
        <Spinner label="Reading your link" />
      ) : token === '' ? (
        <Alert tone="danger" title="No reset token found in the URL." />
      ) : (
        <NewPasswordForm token={token} />
      )}
    </AccessFrame>
  );
}
