const whitespaceSeparated = /[^\t\n\r\p{Z}]+/gu;
const printableAscii = /^[!-~]+$/;
const ignored = /[\uFFFD\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const accent = /\p{Mn}/gu;
const asciiPunctuation = '!-/:-@\\[-`\\{-~';
const ideograph =
  '\\u4E00-\\u9FFF\\u3400-\\u4DBF\\uF900-\\uFAFF\\u{20000}-\\u{2A6DF}\\u{2A700}-\\u{2B81F}\\u{2B920}-\\u{2CEAF}\\u{2F800}-\\u{2FA1F}';
/**
 * Matches a word. Each punctuation mark and each Chinese character is a separate word, and ends the
 * word before it.
 */
const word = new RegExp(
  `[${asciiPunctuation}\\p{P}${ideograph}]|[^${asciiPunctuation}\\p{P}${ideograph}]+`,
  'gu',
);
const continuationPrefix = '##';

/**
 * Tokenizer of uncased BERT models. Drops control characters, strips accents and lower-cases.
 * Splits at whitespace, punctuation and Chinese characters. Then splits each word into the longest
 * known pieces, from left to right.
 *
 * It matches Hugging Face's `BertNormalizer`, `BertPreTokenizer` and `WordPiece` with one
 * exception: the text `[SEP]` in an issue becomes four ordinary pieces, never the control token.
 *
 * Source: Devlin et al. 2018, https://github.com/google-research/bert (tokenization.py).
 */
export class WordPiece {
  readonly #starts: ReadonlyMap<string, number>;
  readonly #continuations: ReadonlyMap<string, number>;
  readonly #longest: number;
  readonly #longestWord: number;
  readonly #unknown: number;
  readonly #first: number;
  readonly #last: number;

  /**
   * Reads the vocabulary of a Hugging Face `tokenizer.json`.
   *
   * @throws {Error} if the file describes another type of tokenizer
   */
  constructor(tokenizerJson: string) {
    const { vocabulary, longestWord } = readVocabulary(tokenizerJson);
    const starts = new Map<string, number>();
    const continuations = new Map<string, number>();
    let longest = 0;
    for (const [piece, id] of vocabulary) {
      if (piece.startsWith(continuationPrefix) && piece.length > continuationPrefix.length) {
        continuations.set(piece.slice(continuationPrefix.length), id);
      } else {
        starts.set(piece, id);
      }
      longest = Math.max(longest, piece.length);
    }
    const special = (token: string): number => {
      const id = starts.get(token);
      if (id === undefined) throw new Error(`The tokenizer file has no ${token} token.`);
      return id;
    };
    this.#unknown = special('[UNK]');
    this.#first = special('[CLS]');
    this.#last = special('[SEP]');
    this.#starts = starts;
    this.#continuations = continuations;
    this.#longest = longest;
    this.#longestWord = longestWord;
  }

  /**
   * Returns the token ids of a text, between [CLS] and [SEP]. Returns at most `maxTokens` ids
   * including these two; `maxTokens` must be 2 or more. Reads only the part of the text that it
   * needs.
   */
  encode(text: string, maxTokens: number): Int32Array<ArrayBuffer> {
    const ids: number[] = [this.#first];
    const room = maxTokens - 1;
    for (const [run] of text.matchAll(whitespaceSeparated)) {
      if (ids.length >= room) break;
      for (const [part] of normalize(run).matchAll(word)) {
        if (ids.length >= room) break;
        this.#appendPieces(part, ids);
      }
    }
    ids.length = Math.min(ids.length, room);
    ids.push(this.#last);
    return Int32Array.from(ids);
  }

  /**
   * Appends the piece ids of a word. Appends [UNK] instead if the word is too long, or if a part of
   * it is unknown.
   */
  #appendPieces(text: string, ids: number[]): void {
    const before = ids.length;
    let start = isLongerThan(text, this.#longestWord) ? -1 : 0;
    while (start >= 0 && start < text.length) {
      const pieces = start === 0 ? this.#starts : this.#continuations;
      let end = Math.min(text.length, start + this.#longest);
      let id = pieces.get(text.slice(start, end));
      while (id === undefined && end > start + 1) id = pieces.get(text.slice(start, --end));
      if (id === undefined) break;
      ids.push(id);
      start = end;
    }
    if (start !== text.length) {
      ids.length = before;
      ids.push(this.#unknown);
    }
  }
}

function normalize(run: string): string {
  if (printableAscii.test(run)) return run.toLowerCase();
  const stripped = run.replace(ignored, '').normalize('NFD').replace(accent, '');
  // Lower-cases each character separately. JavaScript lower-cases a capital sigma at the end of a
  // word differently.
  return Array.from(stripped, (character) => character.toLowerCase()).join('');
}

/** True if a text has more than `limit` Unicode code points. */
function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  return Array.from(text).length > limit;
}

function readVocabulary(tokenizerJson: string): { vocabulary: [string, number][]; longestWord: number } {
  const file: unknown = JSON.parse(tokenizerJson);
  const model = property(file, 'model');
  const normalizer = property(file, 'normalizer');
  const longestWord = property(model, 'max_input_chars_per_word');
  const entries = property(model, 'vocab');
  if (
    property(model, 'type') !== 'WordPiece' ||
    property(model, 'continuing_subword_prefix') !== continuationPrefix ||
    property(normalizer, 'type') !== 'BertNormalizer' ||
    property(normalizer, 'lowercase') !== true ||
    typeof longestWord !== 'number' ||
    typeof entries !== 'object' ||
    entries === null
  ) {
    throw new Error('The tokenizer file does not describe an uncased BERT tokenizer.');
  }
  const vocabulary: [string, number][] = [];
  for (const [piece, id] of Object.entries(entries)) {
    if (typeof id !== 'number') throw new Error(`The tokenizer file gives ${piece} no number.`);
    vocabulary.push([piece, id]);
  }
  return { vocabulary, longestWord };
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
