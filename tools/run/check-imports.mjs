// Checks the rules of .dependency-cruiser.mjs, and that no two folders import each other.
import { cruise, format } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { mutualFolders } from './mutual-folders.mjs';
import { root } from './setup.mjs';

process.chdir(root);
const options = await extractDepcruiseOptions('./.dependency-cruiser.mjs');
const { output: found } = await cruise(['packages', 'tools', 'e2e'], options);
const { output, exitCode } = await format(found, { outputType: 'err-long' });
process.stdout.write(output);

const mutual = mutualFolders(found.modules);
for (const { folders, imports } of mutual) {
  process.stdout.write(
    `  error ${folders.join(' and ')} import each other. Move what both need to a third folder.\n` +
      imports.map((line) => `    ${line}\n`).join(''),
  );
}
process.exitCode = exitCode !== 0 || mutual.length > 0 ? 1 : 0;
