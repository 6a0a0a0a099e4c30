const BASE = 'Sample backlog';

/** A name for a new sample tracker that none of `taken` has, letter case aside: 'Sample backlog', then 'Sample backlog 2'. */
export function freeSampleName(taken: readonly string[]): string {
  const used = new Set(taken.map((name) => name.trim().toLowerCase()));
  let name = BASE;
  for (let number = 2; used.has(name.toLowerCase()); number += 1) name = `${BASE} ${number}`;
  return name;
}
