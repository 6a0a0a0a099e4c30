import { MIN_PASSWORD_CHARS } from '@winnow/contract/account';

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
    ...(wanted.length < MIN_PASSWORD_CHARS && {
      wanted: `New password must be at least ${MIN_PASSWORD_CHARS} characters.`,
    }),
    ...(confirmed !== wanted && { confirmed: 'New passwords do not match.' }),
  };
}
