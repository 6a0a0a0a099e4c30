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
    closing: [
      'If you have no password yet, choose “Forgot password?” where you sign in: you get a link by mail to choose one.',
    ],
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
  });
}

/** For somebody who paid without signing in, with an address whose account may be somebody else's. */
export function letterOfWaitingPlan(url: string): ReturnType<typeof writeLetter> {
  return writeLetter({
    subject: 'Your Winnow plan',
    opening: [
      'Thank you for your payment. There is a Winnow account with this e-mail address, but nobody has shown yet that it belongs to whoever reads this mail.',
      'Have a link sent to you and choose a new password with it. Then the account is yours, and it has the plan:',
    ],
    link: { label: 'Choose a new password', url },
    closing: [
      'The new password signs everybody out, ends the account’s API keys and turns its flows and its default model off.',
    ],
  });
}
