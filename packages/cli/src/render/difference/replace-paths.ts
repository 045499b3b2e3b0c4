/** The paths, relative to a value, whose change replaces the resource. */
export type ReplacePaths = readonly (readonly (string | number)[])[]

/** Returns true when the value itself is such a path. */
export function isAt(paths: ReplacePaths): boolean {
  return paths.some((path) => path.length === 0)
}

/** The paths inside one member of the value. */
export function childPaths(paths: ReplacePaths, key: string | number): ReplacePaths {
  return paths.filter(([first]) => first === key).map((path) => path.slice(1))
}
