const NO_CODE = /\.test\.\w+$|\/testing\//;

/**
 * Returns the pairs of sibling folders that import each other, with one import for each direction.
 * `modules` is the output of dependency-cruiser. Imports of types count; imports in tests do not.
 */
export function mutualFolders(modules) {
  const imports = new Map();
  for (const { source, dependencies } of modules) {
    if (NO_CODE.test(source)) continue;
    for (const { resolved } of dependencies) {
      const folders = foldersApart(source, resolved);
      if (folders !== null) imports.set(folders.join(' → '), `${source} → ${resolved}`);
    }
  }
  return [...imports].flatMap(([folders, there]) => {
    const [one, other] = folders.split(' → ');
    const back = imports.get(`${other} → ${one}`);
    return one < other && back !== undefined ? [{ folders: [one, other], imports: [there, back] }] : [];
  });
}

/**
 * Returns the sibling folders at which two paths diverge. Null if a path ends in a file at that
 * point.
 */
function foldersApart(from, to) {
  const [one, other] = [from.split('/'), to.split('/')];
  const common = one.findIndex((name, index) => name !== other[index]);
  if (common < 0 || common >= one.length - 1 || common >= other.length - 1) return null;
  return [one.slice(0, common + 1).join('/'), other.slice(0, common + 1).join('/')];
}
