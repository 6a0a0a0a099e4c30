import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@winnow/contract/passkey';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const HAS_CREDENTIAL = 0x40;

/** Statements of a forged response. */
export interface Forgery {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  userHandle?: string;
  isUserVerified?: boolean;
  signCount?: number;
  credentialId?: Buffer;
  /** Signs with the key of another passkey. */
  key?: KeyObject;
  /** Format of the attestation, with a certificate that a verifier might fetch more data for. */
  certificate?: Buffer;
}

/** A device that stores one passkey, in software. It does whatever a test tells it to do. */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32);
  readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  #userHandle = '';
  /** Signatures so far. */
  signCount = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  create(options: PasskeyCreationOptions, forged: Forgery = {}): PasskeyRegistration {
    this.#userHandle = options.user.id;
    const id = forged.credentialId ?? this.credentialId;
    const authData = this.#authenticatorData(options.rp.id, forged, [
      Buffer.alloc(16),
      Buffer.of(id.length >> 8, id.length & 0xff),
      id,
      this.#coseKey(),
    ]);
    const { certificate } = forged;
    const statement =
      certificate === undefined
        ? map([])
        : map([
            [text('alg'), negative(-7)],
            [text('sig'), bytes(Buffer.alloc(64))],
            [text('x5c'), Buffer.concat([head(4, 1), bytes(certificate)])],
          ]);
    const attestation = map([
      [text('fmt'), text(certificate === undefined ? 'none' : 'packed')],
      [text('attStmt'), statement],
      [text('authData'), bytes(authData)],
    ]);
    return {
      ...this.#identity(id),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, forged).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  get(options: PasskeyRequestOptions, forged: Forgery = {}): PasskeyAssertion {
    this.signCount += 1;
    const authData = this.#authenticatorData(options.rpId, forged);
    const clientData = this.#clientData('webauthn.get', options.challenge, forged);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return {
      ...this.#identity(forged.credentialId ?? this.credentialId),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, forged.key ?? this.keys.privateKey).toString('base64url'),
        userHandle: forged.userHandle ?? this.#userHandle,
      },
    };
  }

  #identity(credentialId: Buffer) {
    const id = credentialId.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const };
  }

  #clientData(type: string, challenge: string, forged: Forgery): Buffer {
    const { origin = this.#origin } = forged;
    const data = { type: forged.type ?? type, challenge: forged.challenge ?? challenge, origin };
    return Buffer.from(JSON.stringify({ ...data, crossOrigin: false }));
  }

  #authenticatorData(rpId: string, forged: Forgery, credential: Buffer[] = []): Buffer {
    const flags =
      USER_PRESENT |
      BACKUP_ELIGIBLE |
      BACKED_UP |
      (forged.isUserVerified === false ? 0 : USER_VERIFIED) |
      (credential.length > 0 ? HAS_CREDENTIAL : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(forged.signCount ?? this.signCount);
    const rpIdHash = createHash('sha256')
      .update(forged.rpId ?? rpId)
      .digest();
    return Buffer.concat([rpIdHash, Buffer.of(flags), counter, ...credential]);
  }

  /** The public key in COSE: ES256 on P-256. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    return map([
      [head(0, 1), head(0, 2)],
      [head(0, 3), negative(-7)],
      [negative(-1), head(0, 1)],
      [negative(-2), bytes(Buffer.from(x, 'base64url'))],
      [negative(-3), bytes(Buffer.from(y, 'base64url'))],
    ]);
  }
}

/** Returns the head of a CBOR item (RFC 8949): its major type with a value or length. */
function head(major: number, value: number): Buffer {
  const type = major << 5;
  if (value < 24) return Buffer.of(type | value);
  if (value < 0x1_00) return Buffer.of(type | 24, value);
  return Buffer.of(type | 25, value >> 8, value & 0xff);
}

const negative = (value: number) => head(1, -1 - value);
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
const map = (entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()]);
