let shared = false

/** Set to true while several users compete for the event loop. Every connection then reads and sends less per turn. */
export function shareTurns(isShared: boolean): void {
  shared = isShared
}

export function areTurnsShared(): boolean {
  return shared
}
