/**
 * Assigns the ids 0, 1, 2… to the terms of a corpus, given by their hashes (`hashTerm`). A hash
 * table with open addressing in typed arrays.
 */
export class Vocabulary {
  #hashes = new Float64Array(1024).fill(-1);
  #ids = new Uint32Array(1024);
  #inOrder = new Float64Array(512);
  #size = 0;

  /** Number of terms. Their ids are less than this number. */
  get size(): number {
    return this.#size;
  }

  /** Returns the id of a term, or -1 if the term is unknown. */
  find(hash: number): number {
    const at = this.#place(hash);
    return this.#hashes[at] === hash ? (this.#ids[at] ?? -1) : -1;
  }

  /** Returns the id of a term. A new term gets the next id. */
  add(hash: number): number {
    const at = this.#place(hash);
    if (this.#hashes[at] === hash) return this.#ids[at] ?? 0;
    const id = this.#size;
    this.#hashes[at] = hash;
    this.#ids[at] = id;
    if (id === this.#inOrder.length) this.#inOrder = grown(this.#inOrder, id * 2);
    this.#inOrder[id] = hash;
    this.#size += 1;
    if (this.#size * 3 > this.#hashes.length * 2) this.#rebuild();
    return id;
  }

  /** Returns the hash of the term with this id. */
  hashOf(id: number): number {
    return this.#inOrder[id] ?? -1;
  }

  #place(hash: number): number {
    const mask = this.#hashes.length - 1;
    let at = (hash % 0x1_0000_0000) & mask;
    for (;;) {
      const there = this.#hashes[at];
      if (there === hash || there === -1) return at;
      at = (at + 1) & mask;
    }
  }

  #rebuild(): void {
    const length = this.#hashes.length * 2;
    this.#hashes = new Float64Array(length).fill(-1);
    this.#ids = new Uint32Array(length);
    for (let id = 0; id < this.#size; id += 1) {
      const hash = this.hashOf(id);
      const at = this.#place(hash);
      this.#hashes[at] = hash;
      this.#ids[at] = id;
    }
  }
}

function grown(array: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(length);
  larger.set(array);
  return larger;
}
