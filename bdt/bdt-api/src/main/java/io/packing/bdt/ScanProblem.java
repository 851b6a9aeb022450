// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/**
 * A contradiction in a table.
 *
 * @param kind a word
 * @param path of the file; empty: unknown
 * @param message of the problem
 * @param until of an object that a recovery could not read: versions up to this generation may be older than what was
 *     written; 0: unknown, or another kind of problem
 */
public record ScanProblem(String kind, String path, String message, long until) {
    /** Makes a problem that concerns no range of versions. */
    public ScanProblem(String kind, String path, String message) {
        this(kind, path, message, 0);
    }
}
