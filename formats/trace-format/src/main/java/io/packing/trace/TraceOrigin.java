// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

/**
 * The process that recorded a trace file, common to all its events.
 *
 * @param host the machine's name, as the process knows it
 * @param pid the process id on that machine
 * @param process a name for the process, such as {@code regionserver}; may be empty
 */
public record TraceOrigin(String host, long pid, String process) {
    public TraceOrigin {
        if (pid < 0) {
            throw new IllegalArgumentException("bad process id %d".formatted(pid));
        }
    }
}
