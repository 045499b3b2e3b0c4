/** The message for an import of a resource that another object manages. */
export const managedElsewhere = 'another object already manages it: to move it, use the annotation hykube.io/moved-from'
