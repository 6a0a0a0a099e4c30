import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import {
  PASSKEY_TIMEOUT_MS,
  type PasskeyAssertion,
  type PasskeyCreationOptions,
  type PasskeyRegistration,
  type PasskeyRequestOptions,
} from '@winnow/contract/passkey';
import { conflict } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { User } from '../store.ts';
import type { ChallengeUse, PasskeyChallenges } from './challenges.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';
import type { PasskeyRow } from './store.ts';

/** EdDSA, ES256 and RS256 (COSE), which cover all common devices. */
const ALGORITHMS = [-8, -7, -257];
const SITE_NAME = 'Winnow';

/** A signature that was verified. */
export interface VerifiedUse {
  passkey: PasskeyRow;
  signCount: number;
  synced: boolean;
}

/** A new passkey that was verified. */
export interface NewPasskey {
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
  synced: boolean;
  transports: string[];
}

/** Creates the options of the browser's WebAuthn calls, and verifies what the calls return. */
export class PasskeyCeremonies {
  readonly #options: { challenges: PasskeyChallenges; publicUrl: () => string; log: Log };

  constructor(options: { challenges: PasskeyChallenges; publicUrl: () => string; log: Log }) {
    this.#options = options;
  }

  /** Returns the site that passkeys belong to; null if they are not available. */
  relyingParty(): RelyingParty | null {
    return relyingPartyOf(this.#options.publicUrl());
  }

  /** Returns options for a signature. Throws 409 if passkeys are not available. */
  requestOptions(use: ChallengeUse, passkeys: readonly PasskeyRow[]): PasskeyRequestOptions {
    return {
      challenge: this.#options.challenges.issue(use),
      timeout: PASSKEY_TIMEOUT_MS,
      rpId: this.#expectRelyingParty().id,
      allowCredentials: passkeys.map(descriptorOf),
      userVerification: 'required',
    };
  }

  /** Returns options for a new passkey. Throws 409 if passkeys are not available. */
  creationOptions(user: User, sessionId: string, present: readonly PasskeyRow[]): PasskeyCreationOptions {
    const { id } = this.#expectRelyingParty();
    return {
      challenge: this.#options.challenges.issue({ purpose: 'add', userId: user.id, sessionId }),
      timeout: PASSKEY_TIMEOUT_MS,
      rp: { id, name: SITE_NAME },
      user: {
        id: userHandleOf(user.id),
        name: user.username,
        displayName: user.full_name ?? user.username,
      },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
      excludeCredentials: present.map(descriptorOf),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    };
  }

  /**
   * Verifies a signature of this passkey and uses up its challenge. Returns null if it is not
   * valid. The caller must check the counter: see {@link VerifiedUse.signCount}.
   */
  async verifyUse(
    assertion: PasskeyAssertion,
    passkey: PasskeyRow,
    use: ChallengeUse,
  ): Promise<VerifiedUse | null> {
    const { challenges } = this.#options;
    const site = this.#expectRelyingParty();
    const { userHandle, ...signed } = assertion.response;
    // The browser returns the handle of a passkey that it found by itself.
    if (userHandle !== undefined && userHandle !== userHandleOf(passkey.user_id)) return null;
    const response: AuthenticationResponseJSON = {
      ...assertion,
      response: { ...signed, ...(userHandle === undefined ? {} : { userHandle }) },
      clientExtensionResults: {},
    };
    return this.#unlessInvalid(async () => {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: (challenge) => challenges.redeem(challenge, use),
        expectedOrigin: site.origin,
        expectedRPID: site.id,
        expectedType: 'webauthn.get',
        requireUserVerification: true,
        // The library compares counters before it verifies the signature, so a forged signature
        // could report a copied passkey. With 0, it leaves the comparison to the caller.
        credential: {
          id: passkey.credential_id.toString('base64url'),
          publicKey: new Uint8Array(passkey.public_key),
          counter: 0,
        },
      });
      if (!verified) return null;
      const { newCounter, credentialBackedUp } = authenticationInfo;
      return { passkey, signCount: newCounter, synced: credentialBackedUp };
    });
  }

  /** Verifies a new passkey and uses up its challenge. Returns null if it is not valid. */
  async verifyCreation(
    { response: attested, ...registration }: PasskeyRegistration,
    { userId, sessionId }: { userId: string; sessionId: string },
  ): Promise<NewPasskey | null> {
    const { challenges } = this.#options;
    const site = this.#expectRelyingParty();
    const { transports = [], ...rest } = attested;
    const response: RegistrationResponseJSON = {
      ...registration,
      response: { ...rest, transports },
      clientExtensionResults: {},
    };
    return this.#unlessInvalid(async () => {
      if (hasCertificate(attested.attestationObject)) return null;
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: (challenge) => challenges.redeem(challenge, { purpose: 'add', userId, sessionId }),
        expectedOrigin: site.origin,
        expectedRPID: site.id,
        expectedType: 'webauthn.create',
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      });
      if (!verified) return null;
      const { credential, credentialBackedUp } = registrationInfo;
      return {
        credentialId: Buffer.from(credential.id, 'base64url'),
        publicKey: Buffer.from(credential.publicKey),
        signCount: credential.counter,
        synced: credentialBackedUp,
        transports,
      };
    });
  }

  /** The library throws for every invalid response, with a reason for developers. */
  async #unlessInvalid<T>(verify: () => Promise<T | null>): Promise<T | null> {
    try {
      return await verify();
    } catch (error) {
      this.#options.log.debug({ error }, 'A passkey was refused.');
      return null;
    }
  }

  #expectRelyingParty(): RelyingParty {
    const site = this.relyingParty();
    if (site !== null) return site;
    throw conflict(
      'passkeys_unavailable',
      'Passkeys need a public address with a host name and https. Ask your administrator.',
    );
  }
}

/** Returns the id by which a device stores the passkey of a user. */
function userHandleOf(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');
}

/**
 * True if the attestation has a certificate, or a format that needs one. We ask for none. The
 * library would fetch an address that the certificate names.
 */
function hasCertificate(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = decoded.get('fmt');
  if (format === 'none') return false;
  return format !== 'packed' || decoded.get('attStmt').get('x5c') !== undefined;
}

function descriptorOf({ credential_id, transports }: PasskeyRow) {
  return { id: credential_id.toString('base64url'), type: 'public-key' as const, transports };
}
