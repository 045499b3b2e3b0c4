process.stderr.write('hykube: nothing can be done yet\n')
process.exitCode = 1
