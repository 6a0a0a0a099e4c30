import { z } from 'zod';
import { givenName, id, instant } from './primitives.ts';

/** Maximum passkeys of a user. */
export const MAX_PASSKEYS = 20;
const MAX_PASSKEY_NAME_CHARS = 100;
/** Time in which the browser must use a challenge. */
export const PASSKEY_TIMEOUT_MS = 5 * 60_000;

/** Maximum length of a value that a browser returns. An RSA key takes about 1,000 characters. */
const MAX_VALUE_CHARS = 16_000;
/** Limit of WebAuthn: 1,023 bytes, in base64url. */
const MAX_CREDENTIAL_ID_CHARS = 1_364;

const base64url = z.base64url().min(1).max(MAX_VALUE_CHARS);
const credentialId = z.base64url().min(1).max(MAX_CREDENTIAL_ID_CHARS);
const publicKeyType = z.literal('public-key');
const transport = z.string().max(20);

/** Name of a passkey: one line of visible characters. */
export const passkeyName = givenName(MAX_PASSKEY_NAME_CHARS);

/** A passkey's signature, as the browser returns it (`AuthenticationResponseJSON` of WebAuthn). */
export const passkeyAssertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: publicKeyType,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

/** A new passkey, as the browser returns it (`RegistrationResponseJSON` of WebAuthn). */
export const passkeyRegistration = z.object({
  id: credentialId,
  rawId: credentialId,
  type: publicKeyType,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(transport).max(10).optional(),
  }),
});
export type PasskeyRegistration = z.infer<typeof passkeyRegistration>;

const credentialDescriptor = z.object({
  id: z.string(),
  type: publicKeyType,
  transports: z.array(z.string()),
});

/** Options for using a passkey (`PublicKeyCredentialRequestOptionsJSON` of WebAuthn). */
export const passkeyRequestOptions = z.object({
  challenge: z.string(),
  timeout: z.int(),
  rpId: z.string(),
  /** Passkeys to choose from. Empty for any passkey of this site. */
  allowCredentials: z.array(credentialDescriptor),
  userVerification: z.literal('required'),
});
export type PasskeyRequestOptions = z.infer<typeof passkeyRequestOptions>;

/** Options for creating a passkey (`PublicKeyCredentialCreationOptionsJSON` of WebAuthn). */
export const passkeyCreationOptions = z.object({
  challenge: z.string(),
  timeout: z.int(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: publicKeyType })),
  /** Passkeys of the user. A device that has one of them refuses to create another. */
  excludeCredentials: z.array(credentialDescriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreationOptions = z.infer<typeof passkeyCreationOptions>;

/** Options for a new passkey, and a name for it. */
export const passkeySetup = z.object({ options: passkeyCreationOptions, suggested_name: z.string() });
export type PasskeySetup = z.infer<typeof passkeySetup>;

/** Adds the passkey that the browser created. */
export const passkeyAddition = z.object({ name: passkeyName, passkey: passkeyRegistration });
export type PasskeyAddition = z.infer<typeof passkeyAddition>;

/** Signs in with a passkey alone. */
export const passkeySignIn = z.object({ passkey: passkeyAssertion });

/** A passkey of the signed-in user. */
export const passkey = z.object({
  id,
  name: z.string(),
  created_at: instant,
  last_used_at: instant.nullable(),
  /** True if a password manager copies the passkey to other devices. */
  synced: z.boolean(),
  /** True if the password changed since. The passkey then needs it once. */
  password_required: z.boolean(),
});
export type Passkey = z.infer<typeof passkey>;
