import { MINIMUM_PASSWORD_LENGTH } from '@winnow/contract/account';

interface TypedPasswords {
  current: string;
  wanted: string;
  confirmed: string;
}

/** What is wrong with each field of the form that sets another password; nothing where it can be sent. */
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
