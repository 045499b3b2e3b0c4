/** Environment variable that tells a provider that a host started it, and not a user. */
export const magicCookieName = 'TF_PLUGIN_MAGIC_COOKIE'
export const magicCookie = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2'
