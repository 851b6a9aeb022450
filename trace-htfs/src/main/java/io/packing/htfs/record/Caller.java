package io.packing.htfs.record;

/**
 * A file-system instance as the trace knows it: what all calls on it share.
 *
 * @param fileSystem number of the instance in the process
 * @param user on whose behalf the instance talks to its servers
 */
public record Caller(int fileSystem, String user) {
    static final Caller NOBODY = new Caller(0, "");
}
