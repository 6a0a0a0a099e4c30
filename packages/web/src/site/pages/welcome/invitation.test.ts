import { expect, test } from 'vitest';
import { invitationOf } from './invitation.ts';

test.each(['', 'username=ada&token=abc', 'email=&token=abc', 'email=nobody&token=abc'])(
  'a link with "%s" names nobody who could be invited',
  (query) => {
    expect(invitationOf(new URLSearchParams(query)).email).toBeNull();
  },
);

test.each(['email=ada@example.com', 'email=ada@example.com&token='])(
  'a link with "%s" holds no secret, and proposes no name',
  (query) => {
    const invitation = invitationOf(new URLSearchParams(query));
    expect(invitation).toEqual({ email: 'ada@example.com', username: '', token: null });
  },
);

test('an invitation is read as it was written', () => {
  const written = new URLSearchParams({ email: 'ada+x@example.com', username: 'ada', token: 'a/b+c' });
  expect(invitationOf(written)).toEqual({ email: 'ada+x@example.com', username: 'ada', token: 'a/b+c' });
});
