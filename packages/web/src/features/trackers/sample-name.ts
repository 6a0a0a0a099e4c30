const BASE_NAME = 'Sample backlog';

/**
 * Returns a name for a sample tracker that is not taken: "Sample backlog", then "Sample backlog 2".
 * Ignores letter case.
 */
export function freeSampleName(taken: readonly string[]): string {
  const used = new Set(taken.map((name) => name.trim().toLowerCase()));
  let name = BASE_NAME;
  for (let number = 2; used.has(name.toLowerCase()); number += 1) name = `${BASE_NAME} ${number}`;
  return name;
}
