// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

/**
 * A file-system instance in the trace, with the values that all its calls share.
 *
 * @param fileSystem number of the instance in the process
 * @param user for whom the instance talks to its servers
 */
public record FileSystemInstance(int fileSystem, String user) {
    static final FileSystemInstance NOBODY = new FileSystemInstance(0, "");
}
