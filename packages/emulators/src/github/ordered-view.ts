/**
 * A list with several sort orders. After a change, it sorts again only when an order is read. Each
 * sort starts from the previous result, which is nearly sorted.
 */
export class OrderedView<T extends { id: number }> {
  readonly #keys: Record<string, (item: T) => number>;
  readonly #orders = new Map<string, { items: T[]; stale: boolean }>();
  #items: T[] = [];

  /**
   * @param keys per order, a function that returns the value to sort by; items with equal values
   * are sorted by id
   */
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

  /** Call this after changing a value of an item by which an order sorts. */
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
