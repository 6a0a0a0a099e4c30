/** The part of a project's id that the address carries. */
export function projectSegment(projectId: string): string {
  return projectId.slice(0, 8).toLowerCase();
}

/** Segments of project ids, each once. */
export function readProjects(text: string | null): readonly string[] {
  const segments = (text ?? '').split(',').map((part) => part.trim().toLowerCase());
  return [...new Set(segments.filter((segment) => /^[0-9a-f]{8}$/.test(segment)))];
}
