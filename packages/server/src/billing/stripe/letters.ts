import { writeLetter } from '../../platform/mail/letter.ts';

/** For somebody who paid a second time. Says nothing of the account: whoever pays can enter any address. */
export function letterOfDoublePayment(url: string): ReturnType<typeof writeLetter> {
  return writeLetter({
    subject: 'Your payment needs a look',
    opening: [
      'You have paid for a Winnow plan, but the account with your e-mail address has a subscription already.',
      'The account stays as it was. Whoever runs this Winnow has been told, and can refund the second payment.',
      'To change your plan, sign in and choose another one there:',
    ],
    link: { label: 'Your subscription', url },
  });
}

/** For somebody who paid without signing in, and has an account. */
export function letterOfPlanAdded(url: string): ReturnType<typeof writeLetter> {
  return writeLetter({
    subject: 'Your Winnow plan',
    opening: [
      'Thank you for your payment. Your plan belongs to the Winnow account with this e-mail address.',
      'Sign in to use it:',
    ],
    link: { label: 'Sign in', url },
    closing: [
      'If you did not make that account, choose “Forgot password?” where you sign in: with a new password it is yours alone.',
    ],
  });
}
