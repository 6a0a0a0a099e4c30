import { type UseMutationOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type Passkey,
  type PasskeySetup,
  passkeyRequestOptions,
  passkeySetup,
} from '@winnow/contract/passkey';
import {
  authenticatorSetup,
  firstRecoveryCodes,
  type IdentityProof,
  recoveryCodes,
  secondFactors,
} from '@winnow/contract/second-factor';
import { queryKeys } from '../../../../api/query/query-keys.ts';
import { createPasskey, signWithPasskey } from '../../../../api/session/passkeys.ts';
import { api } from '../../../../api/session/session.ts';

const PATH = '/auth/second-factors';

/** Proof that the user typed. An empty code means a passkey. */
export type TypedProof = { password: string } | { code: string };

/** Loads the second factors of the user. */
export function useSecondFactors() {
  return useQuery({
    queryKey: queryKeys.account.secondFactors(),
    queryFn: ({ signal }) => api('GET', PATH, { schema: secondFactors, signal }),
  });
}

/** Returns the typed code as a second factor. For an empty one, asks for a passkey. */
export async function factorOf(code: string): Promise<Pick<IdentityProof, 'code' | 'passkey'>> {
  if (code.trim() !== '') return { code };
  const options = await api('POST', `${PATH}/passkeys/proof`, { schema: passkeyRequestOptions });
  return { passkey: await signWithPasskey(options) };
}

async function proofOf(typed: TypedProof): Promise<IdentityProof> {
  return 'password' in typed ? { current_password: typed.password } : factorOf(typed.code);
}

/** A mutation that reloads factors, sessions and events. Codes appear without waiting. */
function useChange<Variables, Data>(
  mutationFn: NonNullable<UseMutationOptions<Data, Error, Variables>['mutationFn']>,
) {
  const cache = useQueryClient();
  const refetch = () => {
    void cache.invalidateQueries({ queryKey: queryKeys.account.secondFactors() });
    void cache.invalidateQueries({ queryKey: queryKeys.account.sessions() });
    void cache.invalidateQueries({ queryKey: queryKeys.account.allActivity });
  };
  return useMutation({ mutationFn, onSuccess: refetch, onError: refetch });
}

/** Requests the secret for a new authenticator app. */
export function useStartAuthenticator() {
  return useChange(async (proof: TypedProof) =>
    api('POST', `${PATH}/authenticator`, { body: await proofOf(proof), schema: authenticatorSetup }),
  );
}

/** Adds the app by its first code. Returns recovery codes if it is the first second factor. */
export function useConfirmAuthenticator() {
  return useChange((code: string) =>
    api('POST', `${PATH}/authenticator/confirm`, { body: { code }, schema: firstRecoveryCodes }),
  );
}

/** Replaces the recovery codes. Returns the new ones. */
export function useRenewCodes() {
  return useChange(async (proof: TypedProof) =>
    api('POST', `${PATH}/recovery-codes`, { body: await proofOf(proof), schema: recoveryCodes }),
  );
}

export function useRemoveAuthenticator() {
  return useChange(async (proof: TypedProof) =>
    api('POST', `${PATH}/authenticator/remove`, { body: await proofOf(proof) }),
  );
}

/** Requests the options for a new passkey. */
export function useStartPasskey() {
  return useChange(async (proof: TypedProof) =>
    api('POST', `${PATH}/passkeys/options`, { body: await proofOf(proof), schema: passkeySetup }),
  );
}

/** Creates and adds a passkey. Returns recovery codes if it is the first second factor. */
export function useAddPasskey() {
  return useChange(async ({ name, options }: { name: string; options: PasskeySetup['options'] }) =>
    api('POST', `${PATH}/passkeys`, {
      body: { name, passkey: await createPasskey(options) },
      schema: firstRecoveryCodes,
    }),
  );
}

export function useRenamePasskey() {
  return useChange(async ({ id, name, proof }: { id: Passkey['id']; name: string; proof: TypedProof }) =>
    api('PUT', `${PATH}/passkeys/${id}`, { body: { name, ...(await proofOf(proof)) } }),
  );
}

export function useRemovePasskey() {
  return useChange(async ({ id, proof }: { id: Passkey['id']; proof: TypedProof }) =>
    api('POST', `${PATH}/passkeys/${id}/remove`, { body: await proofOf(proof) }),
  );
}
