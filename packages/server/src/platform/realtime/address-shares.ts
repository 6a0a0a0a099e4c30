export interface AddressShareLimits {
  /** Maximum sockets of signed-in users per address (IPv6: per /64 network). */
  socketsPerAddress: number;
  /** Maximum unauthenticated sockets per address. One more socket closes the oldest of them. */
  anonymousPerAddress: number;
}

/** Place of one socket in the limits of its address. */
export interface AddressSlot {
  /**
   * Moves the socket to the limit of authenticated sockets. Returns false if the address has
   * reached that limit.
   */
  authenticate(): boolean;
  release(): void;
}

/**
 * Limits the sockets of each address. Unauthenticated sockets have a separate limit, so that they
 * cannot keep signed-in users from connecting.
 */
export class AddressShares {
  readonly #limits: AddressShareLimits;
  readonly #authenticated = new Map<string, number>();
  /** Functions that close the unauthenticated sockets of each address, oldest socket first. */
  readonly #anonymous = new Map<string, Set<() => void>>();

  constructor(limits: AddressShareLimits) {
    this.#limits = limits;
  }

  /**
   * Counts a new socket. `close` is called if this socket must close to make room for a newer one.
   */
  take(address: string, close: () => void): AddressSlot {
    const others = this.#anonymous.get(address) ?? new Set();
    this.#anonymous.set(address, others);
    const [oldest] = others;
    if (oldest !== undefined && others.size >= this.#limits.anonymousPerAddress) {
      others.delete(oldest);
      oldest();
    }
    others.add(close);
    let isAuthenticated = false;
    const leaveAnonymous = () => {
      const anonymous = this.#anonymous.get(address);
      anonymous?.delete(close);
      if (anonymous?.size === 0) this.#anonymous.delete(address);
    };
    return {
      authenticate: () => {
        if (isAuthenticated) return true;
        const count = this.#authenticated.get(address) ?? 0;
        if (count >= this.#limits.socketsPerAddress) return false;
        leaveAnonymous();
        this.#authenticated.set(address, count + 1);
        isAuthenticated = true;
        return true;
      },
      release: () => {
        leaveAnonymous();
        if (!isAuthenticated) return;
        const count = (this.#authenticated.get(address) ?? 1) - 1;
        if (count === 0) this.#authenticated.delete(address);
        else this.#authenticated.set(address, count);
      },
    };
  }
}
