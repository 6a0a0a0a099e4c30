import { expect, test } from 'vitest';
import { invitationOf } from './invitation.ts';

test.each(['', 'username=ada&token=abc', 'email=&token=abc', 'email=nobody&token=abc'])(
  'a link with "%s" has no valid email address',
  (query) => {
    expect(invitationOf(new URLSearchParams(query)).email).toBeNull();
  },
);

test.each(['email=ada@example.com', 'email=ada@example.com&token='])(
  'a link with "%s" has no token and no suggested username',
  (query) => {
    const invitation = invitationOf(new URLSearchParams(query));
    expect(invitation).toEqual({ email: 'ada@example.com', username: '', token: null });
  },
);

test('all parameters of an invitation are decoded', () => {
  const parameters = new URLSearchParams({ email: 'ada+x@example.com', username: 'ada', token: 'a/b+c' });
  expect(invitationOf(parameters)).toEqual({ email: 'ada+x@example.com', username: 'ada', token: 'a/b+c' });
});
