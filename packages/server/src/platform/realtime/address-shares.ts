export interface AddressShareLimits {
  /** Maximum authenticated sockets per address (IPv6: per /64 network). */
  socketsPerAddress: number;
  /** Maximum unauthenticated sockets per address. A further one closes the oldest. */
  anonymousPerAddress: number;
}

/** Slot that a socket occupies in the limits of its address. */
export interface AddressSlot {
  /** Marks the socket as authenticated. Returns false if the address has reached its limit. */
  authenticate(): boolean;
  release(): void;
}

/**
 * Counts the sockets of each address. Unauthenticated sockets have a separate share, so they cannot
 * block signed-in users.
 */
export class AddressShares {
  readonly #limits: AddressShareLimits;
  readonly #authenticated = new Map<string, number>();
  /** Functions that close unauthenticated sockets by address, oldest first. */
  readonly #anonymous = new Map<string, Set<() => void>>();

  constructor(limits: AddressShareLimits) {
    this.#limits = limits;
  }

  /** Takes a slot for a new socket. `close` is called if the slot is needed for a newer one. */
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
