/** Sizes of all-MiniLM-L6-v2 (from its `config.json`). */
export const miniLm = {
  layers: 6,
  heads: 12,
  width: 384,
  hiddenWidth: 1536,
  vocabulary: 30522,
  positions: 512,
  epsilon: 1e-12,
} as const;
