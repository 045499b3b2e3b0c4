let shared = false

/** Says whether several users want the event loop: then one connection sends and is heard only a little in each turn. */
export function shareTurns(isShared: boolean): void {
  shared = isShared
}

export function areTurnsShared(): boolean {
  return shared
}
