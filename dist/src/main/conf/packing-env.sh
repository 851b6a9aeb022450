# The environment of the daemons. The defaults stand in comments.

# Which Java runtime, of version 17 or newer; else the one on the path.
# export JAVA_HOME=/usr/lib/jvm/java-17

# Options of the JVM; the last of two that contradict each other counts.
# export PACKING_JAVA_OPTS="-Xmx1g"

# Where logs go, and whether a line is text or json. Levels stand in log-levels.properties.
# export PACKING_LOG_DIR=/var/log/packing
# export PACKING_LOG_FORMAT=text

# Keys of the store; without them AWS's default chain is asked. Let nobody else read this file then.
# export PACKING_S3_ACCESS_KEY=
# export PACKING_S3_SECRET_KEY=
