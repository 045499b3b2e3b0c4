/** The places whose change replaces a resource, as paths from the value that is looked at. */
export type ReplacePaths = readonly (readonly (string | number)[])[]

/** Whether the value itself is such a place. */
export function isAt(paths: ReplacePaths): boolean {
  return paths.some((path) => path.length === 0)
}

/** The places inside of one part of the value. */
export function childPaths(paths: ReplacePaths, key: string | number): ReplacePaths {
  return paths.filter(([first]) => first === key).map((path) => path.slice(1))
}
