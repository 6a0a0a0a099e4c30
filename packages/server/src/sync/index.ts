// Public interface of this feature. Other features import only this file.
export {
  type FoundChanges,
  findProjectInScope,
  type ProjectInScope,
  type ReadingOptions,
  ReadProject,
} from './read-project.ts';
export { renameProject, staysInScope } from './rename-project.ts';
