import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'yaml';
import { sampleProjects } from './projects.ts';
import { frontMatterSchema, type SampleIssue, type SampleProject } from './types.ts';

const FRONT_MATTER = /^---\n(.*?\n)---\n(.*)$/s;

let backlog: readonly SampleProject[] | null = null;

/**
 * Returns the projects of the sample backlog with their issues, sorted by number. The first call
 * parses the files (75 kB); later calls return the same objects.
 * @throws {Error} that names a malformed file
 */
export function readSampleBacklog(): readonly SampleProject[] {
  backlog ??= sampleProjects.map(({ folder, ...project }) => {
    const place = new URL(`issues/${folder}/`, import.meta.url);
    const issues = readdirSync(place).map((file) =>
      parseIssue(file, readFileSync(new URL(file, place), 'utf8')),
    );
    return { ...project, issues: issues.sort((a, b) => a.number - b.number) };
  });
  return backlog;
}

/**
 * Parses an issue from the content of the file `NUMBER.md`: YAML front matter between two `---`
 * lines, then the description.
 */
export function parseIssue(file: string, content: string): SampleIssue {
  const [, front = '', body = ''] = FRONT_MATTER.exec(content) ?? [];
  const number = Number(basename(file, '.md'));
  const fields = frontMatterSchema.safeParse(parse(front));
  if (!Number.isInteger(number) || !fields.success)
    throw new Error(`Sample issue ${file}: ${fields.error?.message ?? 'the file name must be a number'}`);
  return { number, ...fields.data, body: body.trimEnd() };
}
