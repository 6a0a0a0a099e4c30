/**
 * A growing list with several sort orders. Sorts an order again only after a change, and starts
 * from the previous result, which is nearly sorted.
 */
export class OrderedView<T extends { id: number }> {
  readonly #keys: Record<string, (item: T) => number>;
  readonly #orders = new Map<string, { items: T[]; stale: boolean }>();
  #items: T[] = [];

  /** @param keys by order, the function whose values it sorts by; equal values are ordered by id */
  constructor(keys: Record<string, (item: T) => number>) {
    this.#keys = keys;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Returns the items in insertion order. Do not change the array. */
  all(): readonly T[] {
    return this.#items;
  }

  add(item: T): void {
    this.#items.push(item);
    for (const order of this.#orders.values()) {
      order.items.push(item);
      order.stale = true;
    }
  }

  remove(item: T): void {
    this.#items = this.#items.filter((other) => other !== item);
    this.#orders.clear();
  }

  /** Must be called after a change to a value that an order sorts by. */
  touch(): void {
    for (const order of this.#orders.values()) order.stale = true;
  }

  /** Returns the items in ascending order of the named key. Do not change the array. */
  by(name: string): readonly T[] {
    const key = this.#keys[name];
    if (!key) throw new Error(`Unknown order "${name}".`);
    let order = this.#orders.get(name);
    if (!order) {
      order = { items: [...this.#items], stale: true };
      this.#orders.set(name, order);
    }
    if (order.stale) {
      order.items.sort((a, b) => key(a) - key(b) || a.id - b.id);
      order.stale = false;
    }
    return order.items;
  }
}
