/**
 * A growing list with several sort orders. An order is only sorted again after a change, starting
 * from the previous, nearly sorted result.
 */
export class OrderedView<T extends { id: number }> {
  readonly #keys: Record<string, (item: T) => number>;
  readonly #orders = new Map<string, { items: T[]; stale: boolean }>();
  #items: T[] = [];

  /** @param keys what each order sorts by; equal keys are ordered by id */
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

  /** Call this after a change to a value that an order sorts by. */
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
