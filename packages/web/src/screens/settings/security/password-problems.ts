import { MINIMUM_PASSWORD_LENGTH } from '@winnow/contract/account';

interface TypedPasswords {
  current: string;
  wanted: string;
  confirmed: string;
}

/** Returns the problems of the password form by field; empty if it is valid. */
export function passwordProblems({
  current,
  wanted,
  confirmed,
}: TypedPasswords): Partial<Record<keyof TypedPasswords, string>> {
  return {
    ...(current === '' && { current: 'Enter your current password.' }),
    ...(wanted.length < MINIMUM_PASSWORD_LENGTH && {
      wanted: `New password must be at least ${MINIMUM_PASSWORD_LENGTH} characters.`,
    }),
    ...(confirmed !== wanted && { confirmed: 'New passwords do not match.' }),
  };
}
