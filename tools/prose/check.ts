// npm run prose [-- PATH…]: reports prose that breaks the writing guide, by file and line. Reads
// tracked files and the subjects of commits outside the main branch. Exits with code 1 if there is
// a fault.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { exceptionsIn, faultsOfFile, faultsOfSubject, type ProseFault } from './find-faults.ts';

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
    .split('\n')
    .filter((line) => line !== '');

/** Maximum number of exceptions in all files. If more are needed, the rules are wrong. */
const MAX_EXCEPTIONS = 20;

let count = 0;
let exceptions = 0;
const report = (place: string, { found, instead }: ProseFault) => {
  count += 1;
  process.stdout.write(`${place}: ${found}: ${instead}\n`);
};

/**
 * Folder of invented issues in the sample backlog, which imitate the way people write issues. They
 * are skipped here and not in `git ls-files`, which drops whole folders when an excluding path is
 * added.
 */
const SAMPLE_ISSUES = '/sample/backlog/issues/';

for (const path of git('ls-files', '--', ...process.argv.slice(2))) {
  if (path.includes(SAMPLE_ISSUES) || !existsSync(path)) continue;
  const content = readFileSync(path, 'utf8');
  exceptions += exceptionsIn(content);
  for (const fault of faultsOfFile(path, content)) report(`${path}:${fault.line}`, fault);
}
for (const commit of git('log', '--format=%h %s', 'HEAD', '--not', ...mainBranches())) {
  const [id = '', ...subject] = commit.split(' ');
  for (const fault of faultsOfSubject(subject.join(' '))) report(`commit ${id}`, fault);
}
if (exceptions > MAX_EXCEPTIONS)
  report('exceptions', { line: 0, found: `${exceptions}`, instead: `at most ${MAX_EXCEPTIONS}` });
process.stdout.write(count === 0 ? 'No prose problems found.\n' : `${count} prose problems found.\n`);
process.exitCode = count === 0 ? 0 : 1;

/**
 * Returns the local and the remote main branch. If neither exists, returns HEAD, so that every
 * commit counts as merged.
 */
function mainBranches(): string[] {
  const branches = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main');
  return branches.length === 0 ? ['HEAD'] : branches;
}
