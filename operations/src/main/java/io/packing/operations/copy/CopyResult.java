// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.copy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * The result of a copy.
 *
 * @param files that were copied
 * @param bytes of these
 * @param directories that the source has, itself included
 * @param there files that were there already, the same
 * @param failed how many files and directories could not be copied
 * @param refused these, as far as they are listed: 10,000 at most
 */
public record CopyResult(
        long files, long bytes, long directories, long there, long failed, List<Refused> refused, double seconds) {
    /**
     * A file or directory that could not be copied.
     *
     * @param path in the source
     */
    public record Refused(String path, String why) {}

    public CopyResult {
        refused = List.copyOf(refused);
    }

    @JsonIgnore
    public boolean isWhole() {
        return failed == 0;
    }
}
