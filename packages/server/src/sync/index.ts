// Other features may import this file only.
export {
  type FoundChanges,
  findProjectInScope,
  type ProjectInScope,
  type ReadingOptions,
  ReadProject,
} from './read-project.ts';
export { renameProject, staysInScope } from './rename-project.ts';
