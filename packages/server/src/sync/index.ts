// Other features may import this file only.
export {
  findProjectInScope,
  type ProjectInScope,
  type ReadingOptions,
  type ReadNews,
  ReadProject,
} from './read-project.ts';
export { renameProject, staysInScope } from './rename-project.ts';
