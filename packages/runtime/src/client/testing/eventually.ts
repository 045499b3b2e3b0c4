/** Waits until what is looked at passes, looking again each turn of the event loop; fails with what it failed with last. */
export async function eventually<T>(look: () => T | Promise<T>, turns = 2000): Promise<T> {
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (turns-- <= 0) throw error
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
  }
}
