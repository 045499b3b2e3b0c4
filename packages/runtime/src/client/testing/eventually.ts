/** Calls `check` once per turn of the event loop until it does not throw; rejects with its last error after `turns`. */
export async function eventually<T>(check: () => T | Promise<T>, turns = 2000): Promise<T> {
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (turns-- <= 0) throw error
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
  }
}
