const BASE_NAME = 'Sample backlog';

/**
 * Returns an unused name for a sample tracker, ignoring letter case: "Sample backlog", then "Sample
 * backlog 2".
 */
export function freeSampleName(taken: readonly string[]): string {
  const used = new Set(taken.map((name) => name.trim().toLowerCase()));
  let name = BASE_NAME;
  for (let number = 2; used.has(name.toLowerCase()); number += 1) name = `${BASE_NAME} ${number}`;
  return name;
}
